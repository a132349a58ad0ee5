import { PincerError } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import type { Embedder } from './embedder.ts';
import { isCancelled, isRefused, reasonOf } from './errors.ts';
import { planBatches } from './planBatches.ts';
import { resultsAsTheyCome } from './resultsAsTheyCome.ts';

/** A text that should have a vector; equal texts have equal hashes. */
export interface EmbeddingTask {
  readonly hash: string;
  readonly text: string;
}

export interface EmbeddingCache {
  get(hash: string): Float32Array | undefined;
  put(hash: string, vector: Float32Array): void;
}

export interface EmbeddedText {
  readonly hash: string;
  readonly vector: Float32Array;
}

/** How it goes. */
export interface EmbeddingRunState {
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
   * The vectors of these texts as they come, each hash once; those of the cache first. What fails is left out: `state` says
   * why, and a later pass tries it again. A pass that gives nothing new should not be repeated before `nextAttempt`.
   *
   * @throws PincerError `cancelled`
   */
  embed(tasks: readonly EmbeddingTask[], signal: AbortSignal): AsyncGenerator<EmbeddedText>;
  /**
   * The vector of a query; undefined where the provider fails or has just failed: then `state` says why.
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

interface Failure {
  readonly reason: string;
  readonly nextAttempt: number;
  /** In a row. */
  readonly count: number;
}

type Outcome = { readonly embedded: readonly EmbeddedText[] } | { readonly error: PincerError };

export function createEmbeddingRun(embedder: Embedder, cache: EmbeddingCache, clock: Clock): EmbeddingRun {
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

  const ask = async (batch: readonly EmbeddingTask[], signal: AbortSignal): Promise<Outcome> => {
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await embedder.embedPassages(texts, signal);
      const embedded = batch.flatMap(({ hash }, at) => {
        const vector = vectors[at];
        return vector === undefined ? [] : [{ hash, vector }];
      });
      return { embedded };
    } catch (error) {
      return { error: expected(error) };
    }
  };

  async function* embedMissing(
    missing: readonly EmbeddingTask[],
    signal: AbortSignal,
  ): AsyncGenerator<EmbeddedText> {
    const maxTexts = Math.max(1, Math.floor(maxBatchTexts / 2 ** (partial?.count ?? 0)));
    const batches = planBatches(missing, ({ text }) => text, { maxTexts, maxTokens: maxBatchTokens });
    let error: PincerError | undefined;
    let failuresInRow = 0;
    let isAnswered = false;
    for await (const outcome of resultsAsTheyCome(batches, concurrency, ask, signal)) {
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
      for (const each of outcome.embedded) {
        cache.put(each.hash, each.vector);
        yield each;
      }
    }
    if (isAnswered) outage = undefined;
    if (error === undefined) {
      partial = undefined;
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
    async *embed(tasks, signal) {
      const missing: EmbeddingTask[] = [];
      for (const task of new Map(tasks.map((each) => [each.hash, each])).values()) {
        const vector = cache.get(task.hash);
        if (vector === undefined) missing.push(task);
        else yield { hash: task.hash, vector };
      }
      if (missing.length > 0 && !isResting(outage ?? partial)) yield* embedMissing(missing, signal);
    },
    async embedQuery(text, signal) {
      if (text.trim() === '' || isResting(outage)) return undefined;
      try {
        const vector = await embedder.embedQuery(text, signal);
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

/** A failure of the provider; all else, and a cancel, is thrown on. */
function expected(error: unknown): PincerError {
  if (!(error instanceof PincerError) || isCancelled(error)) throw error;
  return error;
}
