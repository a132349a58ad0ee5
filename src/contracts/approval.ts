import type { Params } from './jsonTypes.ts';
import type { ExecuteEffect, FileEdit, NetworkEffect } from './tool.ts';

export type ApprovalSeverity = 'info' | 'warning' | 'critical';

/** What a person can answer. */
export type ApprovalDecision = 'allow-once' | 'allow-always' | 'deny';

/** What a yes may cover beside its call: the edits of its turn in one folder, or for its session what an "always" would cover. */
export type WiderScope = 'turn' | 'session';

/** Where a person answers. `chat` is a typed `/approve`. */
export type Surface =
  | 'notification'
  | 'chat'
  | 'chat button'
  | 'chat key'
  | 'chat view'
  | 'chat view key'
  | 'view'
  | 'palette'
  | 'call'
  | 'review'
  | 'terminal'
  /** A client of the gateway. */
  | 'gateway';

/**
 * Who or what answered, as events, the history and traces name it: a surface, an earlier wider answer (`turn`, `session`), the user's
 * next message (`words`), a remembered "always" (`grant`), the approval mode (`policy`), the clock, or the end of the turn.
 */
export type AnsweredBy = Surface | WiderScope | 'words' | 'grant' | 'policy' | 'timeout' | 'cancel';

/** How many questions one yes answered, and of how many sessions they were. */
export interface BatchAnswer {
  readonly count: number;
  readonly sessions: number;
}

/** What a call does, where it does one thing in one place: an answer that covers several calls goes by it. */
export interface CallKind {
  readonly does: 'edit' | 'command' | 'connection';
  /** Absolute path of the workspace folder; empty for connections, which have none. */
  readonly root: string;
}

/** How a request ended; the upstream union of `onResolution` (OpenClaw hooks, Tool call policy). */
export type ApprovalResolution = ApprovalDecision | 'timeout' | 'cancelled';

/** One reason to ask, from the host's own rules or from a plugin's `requireApproval`. */
export interface ApprovalAsk {
  /** `host`, or the id of the plugin that asks. */
  readonly asker: string;
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  readonly timeoutMs?: number;
  readonly timeoutBehavior?: 'allow' | 'deny';
  readonly allowedDecisions?: readonly ApprovalDecision[];
  /** Called exactly once with the outcome; a throw is logged and changes nothing. */
  readonly onResolution?: (resolution: ApprovalResolution) => unknown;
}

/**
 * One question to the user, merged from every ask about one call. All texts are inert: control and
 * bidirectional characters are gone and markdown has no effect.
 */
export interface ApprovalRequest {
  readonly id: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** On whose behalf the call runs. */
  readonly tenantId?: string;
  /** SHA-256 over tool name and final parameters. */
  readonly callHash: string;
  /** At most 80 characters. */
  readonly title: string;
  /** With whom the title begins, where that is not the agent of the chat: `scheduled job "Nightly check"`. */
  readonly who?: string;
  /** At most 256 characters. */
  readonly description: string;
  readonly severity: ApprovalSeverity;
  /** `host` and plugin ids, each once. */
  readonly askers: readonly string[];
  readonly decisions: readonly ApprovalDecision[];
  /** What may be allowed with it: each is a yes, too. */
  readonly wider: readonly WiderScope[];
  /** Undefined where it does several things, or something in several folders. */
  readonly kind?: CallKind;
  /** What an "always" would cover, as the user reads it: `write docs/**`. */
  readonly grantLabel: string;
  readonly params: Params;
  readonly edits: readonly FileEdit[];
  /** The commands and connections of the call, whole; undefined where it has none. */
  readonly effects?: readonly (ExecuteEffect | NetworkEffect)[];
  readonly createdAt: number;
  /** True where nobody follows its turn: it waits for a person however long. */
  readonly isUnattended?: true;
  /** How long it waits for an answer, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * True where that time runs only while somebody has the window before them: the host's own time. What a plugin set as its
   * `timeoutMs` runs by the clock.
   */
  readonly isTimeWatched: boolean;
}

/** An "always" that the user gave; kept outside the workspace. */
export interface ApprovalGrant {
  readonly id: string;
  readonly toolName: string;
  /** `host` or a plugin id: a grant answers only the asker it was given to. */
  readonly asker: string;
  /** A path glob, or `*` where the tool has no target. */
  readonly target: string;
  /** Absolute path of the workspace folder it holds for; where answers may go to a plugin that reads them aloud, of the plugin's. */
  readonly workspace: string;
  /** The tenant it was given for; absent, none. */
  readonly tenantId?: string;
  readonly createdAt: number;
}
