import type { ThinkingLevel } from '../../../contracts/model.ts';
import type { Turn } from '../../../contracts/tool.ts';
import type { Clock } from '../../../host/ports.ts';
import type { WorkspaceLayout } from '../../paths/workspaceLayout.ts';

/** What the session tools need of the world. */
export interface SessionToolDeps {
  readonly layout: () => WorkspaceLayout;
  readonly sessions: AgentSessions;
  readonly clock: Clock;
}

/** An agent that the caller may start. */
interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isCaller: boolean;
}

/** A session as `sessions_list` gives it. */
export interface SessionRow {
  readonly key: string;
  readonly sessionId: string;
  readonly kind: 'chat' | 'subagent';
  readonly agentId: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly messageCount: number;
  readonly isCaller: boolean;
  readonly isRunning: boolean;
  /** Its last messages, oldest first, where they were asked for. */
  readonly messages?: readonly QuotedMessage[];
}

/** What somebody said in a session, cut and without secrets, thoughts and details. */
export interface QuotedMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

interface SessionHistory {
  readonly row: SessionRow;
  /** Oldest first. */
  readonly messages: readonly QuotedMessage[];
  /** Earlier ones that are not here. */
  readonly earlier: number;
}

/** A message to another session, checked. Nothing has been said yet. */
export interface PlannedSend {
  readonly sessionId: string;
  readonly title: string;
  /** True where the caller has started that session: then nobody is asked. */
  readonly isOwn: boolean;
  send(signal: AbortSignal): Promise<SendAnswer>;
}

/** `queued`: its turn runs, and reads the message when it would end. `running`: it takes longer than was waited for. */
export type SendAnswer =
  | { readonly status: 'ok'; readonly reply: string }
  | { readonly status: 'error'; readonly error: string }
  | { readonly status: 'running' | 'queued' };

/** What an agent gives another one to do. */
export interface SpawnOptions {
  readonly task: string;
  /** A few words for people; default: the beginning of the task. */
  readonly label?: string;
  readonly agentId?: string;
  /** `provider/model`. */
  readonly model?: string;
  readonly thinking?: ThinkingLevel;
  /** Milliseconds; default: what one turn may take. */
  readonly timeoutMs?: number;
  /** `delete` removes its session once it has ended; default `keep`. */
  readonly cleanup?: 'delete' | 'keep';
}

/** An agent that the caller has started. */
export interface ChildRow {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly agentId: string;
  readonly label: string;
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** How it ended. */
export interface ChildResult {
  readonly status: 'ok' | 'error' | 'timeout' | 'killed';
  readonly text: string;
  readonly error?: string;
  readonly durationMs: number;
  /** Tool calls. */
  readonly calls: number;
  /** Tokens in and out; undefined where nothing was counted. */
  readonly tokens: number | undefined;
}

export interface StartedChild {
  readonly row: ChildRow;
  /** Never rejects. */
  readonly ended: Promise<ChildResult>;
}

/**
 * What the session tools stand on. An agent sees its own session and what it has started; one that a user talks to sees the
 * other sessions of the same agent in this workspace, too. `key` is a session's key, its id, or the beginning of its id.
 */
export interface AgentSessions {
  agents(caller: Turn): Promise<readonly AgentRow[]>;
  /** Newest first. */
  list(
    caller: Turn,
    filter: {
      readonly kinds?: readonly string[];
      readonly limit: number;
      /** Milliseconds. */
      readonly activeMs?: number;
      readonly messageLimit: number;
    },
  ): Promise<readonly SessionRow[]>;
  /** @throws PincerError `session_unknown` */
  history(
    caller: Turn,
    request: { readonly key: string; readonly limit: number; readonly includeTools: boolean },
  ): Promise<SessionHistory>;
  /** @throws PincerError `session_unknown`, `session_send_self`, `session_send_loop`, `subagent_too_many` */
  planSend(
    caller: Turn,
    request: { readonly key: string; readonly message: string; readonly waitMs: number },
  ): Promise<PlannedSend>;
  /** Resolves once it runs. @throws PincerError where it may not be started, with the reason. */
  spawn(
    caller: Turn,
    options: SpawnOptions,
    context: { readonly signal: AbortSignal; readonly onProgress: (line: string) => void },
  ): Promise<StartedChild>;
  /** Newest first. */
  children(caller: Turn): readonly ChildRow[];
  /** By session id, its beginning, key or label. @throws PincerError `subagent_unknown` */
  child(caller: Turn, target: string): StartedChild;
  /** False where it no longer runs. */
  stop(child: ChildRow): boolean;
  /** Says something to it while it runs. @throws PincerError `subagent_ended`, `inbox_full` */
  steer(caller: Turn, child: ChildRow, message: string): Promise<void>;
}
