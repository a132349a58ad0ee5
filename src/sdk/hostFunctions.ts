import type { SubsystemLogger } from './types/loggerTypes.ts';

/**
 * SDK functions that need the host: each plugin gets its own from it. Nothing here has a body (`createHostFunctions` makes
 * them), so that a plugin author sees their types beside the others.
 */

/** A logger whose lines carry the plugin's id and this name. */
export declare function createSubsystemLogger(subsystem: string): SubsystemLogger;

/** A folder of the plugin's own, outside the workspace. Upstream gives one folder to all plugins. */
export declare function resolveStateDir(): string;

/** A folder for temporary files, of the plugin's own; it exists. */
export declare function resolvePreferredOpenClawTmpDir(): string;

export interface PluginCommandRunOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface PluginCommandRunResult {
  /** Exit code; 1 where the program could not start or was ended. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program; never rejects: what went wrong stands in `stderr`. */
export declare function runPluginCommandWithTimeout(
  options: PluginCommandRunOptions,
): Promise<PluginCommandRunResult>;

export interface DiagnosticEvent {
  readonly type: string;
  readonly ts: number;
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** Listens to the host's diagnostic events; the return value stops it. */
export declare function onDiagnosticEvent(listener: (event: DiagnosticEvent) => void): () => void;

export interface AgentEvent {
  readonly runId: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sessionKey?: string;
}

/** Tells the listeners of agent events something. */
export declare function emitAgentEvent(event: AgentEvent): void;

/** Listens to agent events; the return value stops it. */
export declare function onAgentEvent(listener: (event: AgentEvent) => void): () => void;
