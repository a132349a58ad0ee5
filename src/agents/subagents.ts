import type { Event } from '../base/event.ts';
import type { UsageSum } from '../contracts/usage.ts';
import type { SpawnOptions } from '../tools/core/sessions/agentSessions.ts';
import type { SubagentInfo } from './subagentInfo.ts';

/** What an agent gives another one to do. */
export interface SpawnRequest extends SpawnOptions {
  /** The session whose agent starts another one. */
  readonly sessionId: string;
  readonly runId: string;
  /** Stops it. */
  readonly signal: AbortSignal;
  /** What it does now, one line each time. */
  readonly onProgress?: (line: string) => void;
}

/** How a started agent ended. */
export interface SubagentResult {
  readonly status: 'ok' | 'error' | 'timeout' | 'killed';
  /** Its last message, cut to what fits into a result; empty where there is none. */
  readonly text: string;
  /** Why there is no better result; missing for `ok`. */
  readonly error?: string;
  readonly durationMs: number;
  readonly calls: number;
  readonly usage: UsageSum | undefined;
}

/** One that was started. */
export interface StartedAgent {
  readonly info: SubagentInfo;
  /** Never rejects. */
  readonly ended: Promise<SubagentResult>;
}

/** The agents that agents have started (OpenClaw core flow). They end with the turn that started them. */
export interface Subagents {
  /**
   * Resolves once it runs.
   * @throws PincerError `agent_unknown`, `agent_not_allowed`, `subagent_too_deep`, `subagent_too_many`, `subagent_refused`,
   * `model_unknown`, `cancelled`
   */
  spawn(request: SpawnRequest): Promise<StartedAgent>;
  /** Those that a session has started, and those that they have; newest first. */
  list(sessionId: string): readonly SubagentInfo[];
  /** One by its session's id; undefined where it was not started in this life of the window. */
  find(sessionId: string): StartedAgent | undefined;
  /** Stops one with all that it has started; false where it no longer runs. */
  stop(sessionId: string): boolean;
  /** Stops all that a session has started; to be called when its turn has ended. */
  stopAllOf(sessionId: string): void;
  /** Fires when one begins or ends. */
  readonly onDidChange: Event<void>;
  /** Stops all, and resolves when none runs any more. */
  close(): Promise<void>;
}
