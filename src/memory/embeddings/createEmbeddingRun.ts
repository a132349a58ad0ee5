import { raceAbort } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import { type Embedder, embeddingFailed, isCancelled, isRefused, planBatches, reasonOf } from './embedder.ts';

/** A text that should have a vector. */
export interface EmbeddingTask {
  readonly text: string;
}

export interface EmbeddedTask<T> {
  readonly task: T;
  /** Of length 1. */
  readonly vector: Float32Array;
}

/** How it goes. */
interface EmbeddingRunState {
  /** `failing`: the provider gives nothing. `on` with a reason: it works, but for some texts. */
  readonly state: 'on' | 'failing';
  /** One sentence or two for people. */
  readonly reason?: string;
  /** Before it nobody is asked again; milliseconds since the epoch. */
  readonly nextAttempt?: number;
}

/** One embedder at work over passes, with its health. A failure never loses what other batches brought, and is always told. */
export interface EmbeddingRun {
  state(): EmbeddingRunState;
  /**
   * The vectors of these texts as they come. Tasks are taken from their source when their turn comes, a few batches ahead. What
   * fails is left out: `state` says why, and a later pass tries it again. Before `nextAttempt` a pass takes and gives nothing.
   *
   * @throws PincerError `cancelled`
   */
  embed<T extends EmbeddingTask>(tasks: Iterable<T>, signal: AbortSignal): AsyncGenerator<EmbeddedTask<T>>;
  /**
   * The vector of a query; undefined where the provider fails, has just failed, or takes more than 4 seconds: then `state`
   * says so.
   *
   * @throws PincerError `cancelled`
   */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | undefined>;
}

/** Batches at once. */
const concurrency = 4;
const maxBatchTokens = 8_000;
/** Texts of a batch; half of it after each pass that failed in part, so that a text that nobody can embed ends up alone. */
const maxBatchTexts = 32;
/** Batches in a row that fail before a pass gives up. */
const maxFailures = 3;
/** Pause after a failure, and after further ones twice as long each; milliseconds. */
const firstPause = 30_000;
const longestPause = 15 * 60_000;
/** A search waits no longer for the vector of its query; milliseconds. */
const queryMs = 4_000;

interface Failure {
  readonly reason: string;
  readonly nextAttempt: number;
  /** In a row. */
  readonly count: number;
}

type Outcome<T> = { readonly embedded: readonly EmbeddedTask<T>[] } | { readonly error: PincerError };

export function createEmbeddingRun(embedder: Embedder, clock: Clock): EmbeddingRun {
  /** Nothing comes from the provider. */
  let outage: Failure | undefined;
  /** Some texts of the last pass failed, and others may do. */
  let partial: Failure | undefined;
  let hasAnswered = false;

  const nextFailure = (before: Failure | undefined, error: PincerError): Failure => {
    const count = (before?.count ?? 0) + 1;
    const pause = Math.min(longestPause, firstPause * 2 ** (count - 1));
    return { reason: reasonOf(error), nextAttempt: clock.now() + pause, count };
  };
  const isResting = (failure: Failure | undefined): boolean =>
    failure !== undefined && clock.now() < failure.nextAttempt;

  const ask = async <T extends EmbeddingTask>(
    batch: readonly T[],
    signal: AbortSignal,
  ): Promise<Outcome<T>> => {
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await embedder.embedPassages(texts, signal);
      const embedded = batch.flatMap((task, at) => {
        const vector = vectors[at];
        return vector === undefined ? [] : [{ task, vector }];
      });
      return { embedded };
    } catch (error) {
      return { error: expected(error) };
    }
  };

  async function* embed<T extends EmbeddingTask>(
    tasks: Iterable<T>,
    signal: AbortSignal,
  ): AsyncGenerator<EmbeddedTask<T>> {
    if (isResting(outage ?? partial)) return;
    const maxTexts = Math.max(1, Math.floor(maxBatchTexts / 2 ** (partial?.count ?? 0)));
    const batches = planBatches(tasks, ({ text }) => text, { maxTexts, maxTokens: maxBatchTokens });
    let error: PincerError | undefined;
    let failuresInRow = 0;
    let isAnswered = false;
    for await (const outcome of resultsAsTheyCome(batches, concurrency, ask<T>, signal)) {
      if ('error' in outcome) {
        error = outcome.error;
        failuresInRow += 1;
        // Before the first answer a refusal is about the key, the model or the address, and goes for every batch.
        if (failuresInRow >= maxFailures || (isRefused(error) && !hasAnswered)) break;
        continue;
      }
      failuresInRow = 0;
      isAnswered = true;
      hasAnswered = true;
      yield* outcome.embedded;
    }
    if (isAnswered) outage = undefined;
    if (error === undefined) {
      if (isAnswered) partial = undefined;
      return;
    }
    // A few failures of a provider that has answered before may be the texts' fault. A query tells the two apart.
    const isOutage = !hasAnswered || (failuresInRow >= maxFailures && !isAnswered && partial === undefined);
    if (isOutage) outage = nextFailure(outage, error);
    else partial = nextFailure(partial, error);
  }

  return {
    state() {
      const { reason, nextAttempt } = outage ?? partial ?? {};
      if (reason === undefined || nextAttempt === undefined) return { state: 'on' };
      return { state: outage === undefined ? 'on' : 'failing', reason, nextAttempt };
    },
    embed,
    async embedQuery(text, signal) {
      if (text.trim() === '' || isResting(outage)) return undefined;
      try {
        const vector = await withinTime(embedder, clock, text, signal);
        outage = undefined;
        hasAnswered = true;
        return vector;
      } catch (error) {
        outage = nextFailure(outage, expected(error));
        return undefined;
      }
    },
  };
}

async function withinTime(
  embedder: Embedder,
  clock: Clock,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array> {
  const late = new AbortController();
  const cancelTimer = clock.after(queryMs, () => late.abort());
  try {
    return await embedder.embedQuery(text, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (signal.aborted || !late.signal.aborted) throw error;
    throw embeddingFailed(embedder.name, `took more than ${String(queryMs / 1_000)} s for a query.`);
  } finally {
    cancelTimer();
  }
}

/** A failure of the provider; all else, and a cancel, is thrown on. */
function expected(error: unknown): PincerError {
  if (!(error instanceof PincerError) || isCancelled(error)) throw error;
  return error;
}

/**
 * The results of `work` in the order they come, with at most `limit` under way; an item is taken when its turn comes. Where it is
 * left early or fails, the signal of what is under way aborts, and it is waited for.
 *
 * @throws PincerError `cancelled` as soon as the signal aborts; what `work` throws
 */
async function* resultsAsTheyCome<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = items[Symbol.iterator]();
  const running = new Map<number, Promise<{ readonly id: number; readonly result: R }>>();
  let started = 0;
  const startNext = (): void => {
    const next = queue.next();
    if (next.done === true) return;
    const id = started;
    started += 1;
    running.set(
      id,
      work(next.value, either).then((result) => ({ id, result })),
    );
  };
  for (let lane = 0; lane < limit; lane += 1) startNext();
  try {
    while (running.size > 0) {
      const { id, result } = await raceAbort(Promise.race(running.values()), signal);
      running.delete(id);
      yield result;
      startNext();
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running.values());
  }
}
