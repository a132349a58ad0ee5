import type { AskedPlugin, Verdict } from '../pointFacts.ts';

/** What tells other systems how plugins do. Holds no content: names, outcomes, codes and times. */
export interface PointTelemetry {
  begin(asked: AskedPlugin): PluginSpan;
}

/** The call of one plugin, while it goes on. */
export interface PluginSpan {
  /** Runs `work` so that what it measures counts as a part of this. */
  run<T>(work: () => T): T;
  end(verdict: Verdict, durationMs: number): void;
}
