import type { AgentMessage, TokenUsage } from './message.ts';
import type { ModelRef, ModelSettings } from './model.ts';
import type { Tenant } from './tenant.ts';

/** Where a session came from: a chat or command line, another agent, or a copy of another session. */
export type SessionKind = 'chat' | 'subagent';

/** First line of a transcript. */
export interface SessionHeader {
  readonly type: 'session';
  readonly version: 2;
  readonly id: string;
  /** What plugins know its chat by: `agent:<agent>:<channel>:<chat id>`; of subagents `agent:<agent>:subagent:<id>`. */
  readonly key: string;
  readonly kind: SessionKind;
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Absolute paths of the workspace folders it was opened in. */
  readonly folders: readonly string[];
  /** The session it was forked from, or whose agent started this one. */
  readonly parent?: { readonly sessionId: string; readonly entryId?: string };
  /** On whose behalf it runs; other tenants never see it. */
  readonly tenant?: Tenant;
}

/** What every later line has. `parentId` is the line before, also across a fork. */
interface EntryIds {
  readonly id: string;
  readonly parentId: string | null;
}

/** What the user chose for one session; an absent field leaves it to the agent's and the general settings. */
export interface SessionSettings extends ModelSettings {
  /** `provider/model`. */
  readonly model?: string;
}

/** What calls have done so far, taken from the calls themselves; the last is the newest. */
export interface CallActivity {
  /** Paths as the calls named them. */
  readonly files: readonly string[];
  /** Command lines, one line each. */
  readonly commands: readonly string[];
}

/** An older part of the conversation, told in short. Nothing is removed from the transcript. */
export interface CompactionEntry extends EntryIds {
  readonly type: 'compaction';
  /** What models read in place of everything before `firstKeptId`. */
  readonly summary: string;
  /** Entry of the first message that stays as it was; null where none does. */
  readonly firstKeptId: string | null;
  readonly by: 'auto' | 'user';
  readonly model: ModelRef;
  /** Estimated tokens of the conversation before and after. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Messages that the summary stands for. */
  readonly compactedCount: number;
  /** Files changed and commands run in all that it stands for. */
  readonly touched?: CallActivity;
  /** What the model used to write it; absent where a server did not count, or it is the built-in one. Zeros where a plugin wrote it. */
  readonly usage?: TokenUsage;
  readonly timestamp: number;
}

/** Every later line of a transcript, in the order it happened. */
export type SessionEntry =
  | (EntryIds & { readonly type: 'message'; readonly message: AgentMessage })
  | (EntryIds & { readonly type: 'turn'; readonly runId: string; readonly state: TurnState })
  | CompactionEntry
  /** The whole of the settings, as they are from here on. */
  | (EntryIds & { readonly type: 'settings'; readonly settings: SessionSettings })
  | (EntryIds & { readonly type: 'name'; readonly name: string })
  /** The session ended here; a later turn takes it up again. */
  | (EntryIds & { readonly type: 'end'; readonly reason: string; readonly timestamp: number });

/** A turn that has `started` and no later line is an interrupted one: a reload or a killed host cut it off. */
export type TurnState = 'started' | 'completed' | 'failed' | 'cancelled';
