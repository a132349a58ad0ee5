import type { HookOutcome } from '../hooks/hookTypes.ts';

/** Counts the extra passes that plugins ask for in one run, so that a revision can't go on for ever (seed 001, prompt hooks). */
export interface FinalizeBudget {
  /** What the model is told to revise, or undefined where the answer stands. */
  takeRevision(outcome: HookOutcome<'before_agent_finalize'>): string | undefined;
}

export function createFinalizeBudget(): FinalizeBudget {
  const used = new Map<string, number>();
  return {
    takeRevision(outcome) {
      if (outcome.action !== 'revise') return undefined;
      for (const candidate of outcome.retryCandidates) {
        const key = `${candidate.pluginId}\n${candidate.idempotencyKey ?? candidate.instruction}`;
        const attempts = used.get(key) ?? 0;
        if (attempts >= (candidate.maxAttempts ?? 1)) continue;
        used.set(key, attempts + 1);
        return `${outcome.reason}\n\n${candidate.instruction}`;
      }
      if (outcome.retryCandidates.length > 0) return undefined;
      // A revision without retry metadata counts by its reason, once.
      if (used.has(outcome.reason)) return undefined;
      used.set(outcome.reason, 1);
      return outcome.reason;
    },
  };
}
