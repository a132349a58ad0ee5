import { PincerError } from '../../base/errors.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import type { Clock } from '../../host/ports.ts';
import { modelFailure, retryAfterOf } from '../modelFailure.ts';
import { aborted } from '../library/modelErrors.ts';

interface RetryParts {
  readonly clock: Clock;
  /** 0 to 1, as `Math.random`. */
  readonly random: () => number;
}

/**
 * The same model, asked again where it failed before anything of the answer was there (`decideRetry`). Each pause is told by
 * a `retry` event and ends at once when the request is aborted. What was yielded once is never taken back, so a failure
 * within an answer passes through.
 */
export function createRetryingModel(model: Model, parts: RetryParts): Model {
  return { info: model.info, stream: (request) => streamWithRetries(model, request, parts) };
}

async function* streamWithRetries(
  model: Model,
  request: ModelRequest,
  { clock, random }: RetryParts,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt += 1) {
    let hasBegun = false;
    let failure: PincerError;
    try {
      for await (const event of model.stream(request)) {
        hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (hasBegun || request.signal.aborted || !(error instanceof PincerError)) throw error;
      failure = error;
    }
    const { code, message } = failure;
    const decision = decideRetry({ code, attempt, retryAfterMs: retryAfterOf(failure), random: random() });
    if (decision.kind === 'fail') throw failure;
    if (decision.kind === 'fail-until') throw tooLong(failure, decision.waitMs);
    const { waitMs } = decision;
    yield { type: 'retry', attempt, waitMs, because: { code, message } };
    await waitUnlessAborted(clock, waitMs, request.signal);
  }
}

function tooLong({ code, message }: PincerError, waitMs: number): PincerError {
  const hint = `It can be asked again in ${describeWait(waitMs)}. Until then choose another model.`;
  return modelFailure(code, message, { hint, retryAfterMs: waitMs });
}

/** Resolves after `ms`. @throws PincerError `model_aborted` as soon as the signal aborts; no timer stays behind then. */
async function waitUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    if (signal.aborted) {
      reject(aborted());
      return;
    }
    const onAbort = (): void => {
      stopTimer();
      reject(aborted());
    };
    const stopTimer = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** A pause as people read it, rounded up: `20 s`, `3 min`, `5 h`, `2 days`. */
export function describeWait(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} days`;
}

/** How a failed try went; `attempt` counts the tries so far, from 1. */
interface FailedTry {
  readonly code: string;
  readonly attempt: number;
  /** What the server asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** 0 to 1: spreads the tries of many clients. */
  readonly random: number;
}

type RetryDecision =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'fail' }
  /** The server wants a longer pause than anybody waits for in front of a chat. */
  | { readonly kind: 'fail-until'; readonly waitMs: number };

/** Tries of one answer, the first included. */
const maxAttempts = 4;

/** Longest pause that a server may ask for, in milliseconds. */
const maxRetryAfterMs = 60_000;

const baseDelayMs = 500;
const maxDelayMs = 30_000;

/** Failures that may be over with another try. */
const transientCodes: ReadonlySet<string> = new Set([
  'model_rate_limited',
  'model_unavailable',
  'model_offline',
  'model_timeout',
]);

/**
 * Whether to ask again after a failure of which nothing was shown yet, and when: doubling pauses with full jitter (half a
 * second, cap half a minute), or exactly what the server asked for. Pure.
 */
export function decideRetry({ code, attempt, retryAfterMs, random }: FailedTry): RetryDecision {
  const mayWait = code === 'model_rate_limited' || code === 'model_quota' || code === 'model_unavailable';
  if (mayWait && retryAfterMs !== undefined && retryAfterMs > maxRetryAfterMs)
    return { kind: 'fail-until', waitMs: retryAfterMs };
  if (!transientCodes.has(code) || attempt >= maxAttempts) return { kind: 'fail' };
  const backOffMs = Math.round(random * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)));
  return { kind: 'retry', waitMs: retryAfterMs ?? backOffMs };
}
