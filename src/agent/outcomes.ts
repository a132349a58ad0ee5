import { errorMessage, PincerError } from '../base/errors.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { RunTracer } from '../traces/createRunTraces.ts';
import type { LimitReached } from './createTurnMeter.ts';
import type { Turn } from './turn.ts';

/** What the transcript says of a turn that ended so. */
export const turnStates = {
  completed: 'completed',
  blocked: 'completed',
  yielded: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
} as const;

/** How a turn ended that was stopped in the middle: by somebody, or because its time was over. */
export function stoppedOutcome({ cancelled, meter }: Turn): RunOutcome {
  return cancelled.aborted ? { status: 'cancelled' } : limitOutcome(meter.timeLimit());
}

export function limitOutcome({ code, message, hint }: LimitReached): RunOutcome {
  return { status: 'failed', code, message, hint };
}

export function failed(error: unknown): Extract<RunOutcome, { status: 'failed' }> {
  const hint = error instanceof PincerError ? error.hint : undefined;
  return {
    status: 'failed',
    code: error instanceof PincerError ? error.code : 'internal',
    message: errorMessage(error),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** What the trace keeps of an outcome: no text of the conversation. */
export function endOf(outcome: RunOutcome): Parameters<RunTracer['end']>[1] {
  if (outcome.status === 'blocked') return { status: 'blocked', blockedBy: outcome.pluginId };
  if (outcome.status === 'failed') return { status: 'failed', error: outcome.message };
  return { status: outcome.status === 'yielded' ? 'completed' : outcome.status };
}
