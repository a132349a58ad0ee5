import type { AgentMessage } from '../../contracts/message.ts';
import type { AgentHookContext, SessionHookContext } from './hookContexts.ts';
import type { Observe } from './hookShape.ts';

/** Hooks of a session's life and of compaction. */
export interface SessionHooks {
  session_start: Observe<SessionStartEvent, SessionHookContext>;
  session_end: Observe<SessionEndEvent, SessionHookContext>;
  before_compaction: Observe<BeforeCompactionEvent, AgentHookContext>;
  after_compaction: Observe<AfterCompactionEvent, AgentHookContext>;
  before_reset: Observe<BeforeResetEvent, AgentHookContext>;
}

interface SessionStartEvent {
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly resumedFrom?: string;
}

export type SessionEndReason =
  'new' | 'reset' | 'idle' | 'daily' | 'compaction' | 'deleted' | 'shutdown' | 'restart' | 'unknown';

export interface SessionEndEvent {
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly messageCount: number;
  readonly durationMs?: number;
  readonly reason?: SessionEndReason;
  readonly sessionFile?: string;
  readonly transcriptArchived?: boolean;
  readonly nextSessionId?: string;
  readonly nextSessionKey?: string;
}

interface BeforeCompactionEvent {
  readonly messageCount: number;
  readonly compactingCount?: number;
  readonly tokenCount?: number;
  readonly messages?: readonly AgentMessage[];
  readonly sessionFile?: string;
}

interface AfterCompactionEvent {
  readonly messageCount: number;
  readonly compactedCount: number;
  readonly tokenCount?: number;
  readonly sessionFile?: string;
}

interface BeforeResetEvent {
  readonly sessionFile?: string;
  readonly messages?: readonly AgentMessage[];
  readonly reason?: string;
}
