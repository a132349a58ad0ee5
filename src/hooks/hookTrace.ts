import type { HookName } from './hookTypes.ts';

/** One line of a run's trace: which handler ran, how long, and what it decided. Holds no content. */
export interface HookTrace {
  readonly hook: HookName;
  readonly pluginId: string;
  readonly durationMs: number;
  /** `stopped`: this handler ended the operation or claimed it; no later handler was asked. */
  readonly outcome: 'nothing' | 'changed' | 'stopped' | 'invalid' | 'failed' | 'timed-out' | 'cancelled';
  /** Names of the fields it returned, where it changed something. */
  readonly changed?: readonly string[];
}
