import { createHash } from 'node:crypto';
import type { HookOutcome } from '../hooks/hookTypes.ts';

/** Counts the extra passes that plugins ask for in one run, so that a revision can't go on for ever (OpenClaw hooks, prompt hooks). */
export interface FinalizeBudget {
  /** What the model is told to revise, or undefined where the answer stands. */
  takeRevision(outcome: HookOutcome<'before_agent_finalize'>): string | undefined;
}

/** Upstream's bound; a run that comes to it gets no further revisions. */
const maxEntries = 2_048;

export function createFinalizeBudget(): FinalizeBudget {
  const used = new Map<string, number>();
  const take = (key: string, max: number): boolean => {
    const attempts = used.get(key) ?? 0;
    if (attempts >= max || (attempts === 0 && used.size >= maxEntries)) return false;
    used.set(key, attempts + 1);
    return true;
  };
  return {
    takeRevision(outcome) {
      if (outcome.action !== 'revise') return undefined;
      for (const candidate of outcome.retryCandidates) {
        const { pluginId, idempotencyKey, instruction, maxAttempts = 1 } = candidate;
        const key = idempotencyKey === undefined ? `text ${hashOf(instruction)}` : `key ${idempotencyKey}`;
        if (take(`${pluginId}\n${key}`, maxAttempts)) return `${outcome.reason}\n\n${instruction}`;
      }
      if (outcome.retryCandidates.length > 0) return undefined;
      // A revision without retry metadata counts by its reason, once.
      return take(`reason ${hashOf(outcome.reason)}`, 1) ? outcome.reason : undefined;
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
