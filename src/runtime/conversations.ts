import type { Event } from '../base/event.ts';
import type { CompactionResult } from '../agent/context/compactSession.ts';
import type { ResolvedModel } from '../agents/resolveAgentModel.ts';
import type { SubagentInfo } from '../agents/subagentInfo.ts';
import type { AgentEntry } from '../config/sections/agentsSection.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { PromptReport } from '../contracts/promptReport.ts';
import type { SessionEntry, SessionSettings } from '../contracts/sessionEntry.ts';
import type { SessionUse } from '../contracts/usage.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import type { ForkPoint, SessionHit, SessionSummary } from '../sessions/sessionStore.ts';
import type { SessionTenant } from '../sessions/visibleToTenant.ts';

export type { SubagentInfo } from '../agents/subagentInfo.ts';

/** A turn that runs now. */
export interface RunningTurn {
  readonly session: Session;
  /** Monotonic clock, in milliseconds. */
  readonly startedAt: number;
  cancel(): void;
}

/** `elsewhere`: it runs in another window or program. `interrupted`: it has no end, and nobody runs it. */
export type LastTurn = 'running' | 'elsewhere' | 'interrupted' | 'ended';

/**
 * Everything a front end does with conversations, besides asking. All of it is of one tenant: sessions of others are not there
 * (`session_unknown`), and neither are their turns and waiting messages.
 */
export interface Conversations {
  /** The same on behalf of this tenant, for programs that serve several and have no async contexts. */
  forTenant(tenant: SessionTenant): Conversations;
  /** The list of sessions, a name, a waiting message or a running turn changed. */
  readonly onDidChange: Event<void>;
  /** Newest first; those of started agents included. Reads no transcript whole. */
  summaries(): Promise<readonly SessionSummary[]>;
  /** Sessions in which all words occur, best first. @throws PincerError `cancelled` */
  search(query: string, signal: AbortSignal): Promise<readonly SessionHit[]>;
  /** @throws PincerError `session_unknown`, `session_name_invalid` */
  rename(id: string, name: string): Promise<void>;
  /** A copy up to a point; the old one stays as it is. @throws PincerError `session_unknown`, `session_turn_unknown` */
  fork(id: string, at?: ForkPoint): Promise<Session>;
  /** All of the transcript, with what a session leaves out once a compaction stands for it. @throws PincerError `session_unknown` */
  readWhole(id: string): Promise<readonly SessionEntry[]>;
  /** The conversation as markdown; secrets are already out of it. @throws PincerError `session_unknown` */
  exportMarkdown(id: string): Promise<string>;
  /**
   * Makes a transcript with a damaged first line readable; gives where the file as it was lies now.
   * @throws PincerError `session_unknown`, `session_in_use`, `session_in_order`, `session_tenant_lost`
   */
  repair(id: string): Promise<string>;
  /** Ends the session, cancels its turn and its started agents, and removes its files. @throws PincerError `session_unknown` */
  remove(id: string): Promise<void>;

  readonly inbox: Inbox;
  /** The turn of a session that runs now. */
  running(sessionId: string): RunningTurn | undefined;
  /** What became of the newest turn of a session; `ended` where there was none. What other processes have added to it is read. */
  lastTurn(session: Session): Promise<LastTurn>;
  /** All turns that run now, those of started agents included. */
  runningTurns(): readonly RunningTurn[];
  /** `/stop`: cancels the turn of a session and its started agents; false where none ran. */
  stopTurn(sessionId: string): boolean;

  use(session: Session, model: ModelInfo): SessionUse;
  /**
   * The user's own wish to shorten the conversation.
   * @throws PincerError `cancelled`, `agent_stopped`, or `message_blocked` where a plugin refuses the instructions
   */
  compact(session: Session, signal: AbortSignal, instructions?: string): Promise<CompactionResult>;
  /** What a model got in the last turn; before the first, what it would get. */
  prompt(session: Session): Promise<PromptReport>;

  /** Changes some settings of a session; undefined takes one back. */
  setSettings(
    session: Session,
    change: { readonly [K in keyof SessionSettings]?: SessionSettings[K] | undefined },
  ): Promise<void>;

  /** The model that somebody chose for a session, by name, and who; undefined where nobody did. */
  modelOf(session: Session): ResolvedModel | undefined;

  /** The default one first. */
  agents(): readonly AgentEntry[];
  /** Newest first. */
  subagents(sessionId: string): readonly SubagentInfo[];
  /** False where it no longer runs. */
  stopSubagent(sessionId: string): boolean;
}
