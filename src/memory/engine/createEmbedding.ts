import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import type { Embedder, ResolvedEmbedder } from '../embeddings/embedder.ts';
import { isRefused, reasonOf } from '../embeddings/errors.ts';
import type { MemoryProgress, VectorState } from '../memory.ts';
import type { VectorSpace } from '../store/memoryStore.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import { embeddedText } from './embeddedText.ts';

/** Passages that are embedded in one go, and how long a search waits for the vector of its query, in milliseconds. */
const batch = 64;
const queryMs = 4_000;
/** Time to the next attempt after a failure; it doubles up to the longest. */
const backOffMs = { first: 30_000, longest: 600_000 } as const;

/** The vector leg: which provider, what it has done, why it fails. Nothing here rejects: the text alone always answers. */
export interface Embedding {
  /** Finds the provider anew; to be called when its settings changed. */
  configure(resolve: () => Promise<ResolvedEmbedder>): Promise<void>;
  /** Embeds what lacks a vector; resolves when that is done, has failed, or there is nothing to do. */
  run(): Promise<void>;
  /** Undefined where the vectors are off, failing, or the query took too long. */
  embedQuery(query: string, signal: AbortSignal): Promise<Float32Array | undefined>;
  space(): VectorSpace | undefined;
  state(): VectorState;
  close(): Promise<void>;
}

export interface EmbeddingParts {
  readonly clock: Clock;
  readonly index: () => LiveIndex;
  readonly onProgress: (progress: MemoryProgress | undefined) => void;
  /** The state or the vectors changed. */
  readonly onChange: () => void;
}

export function createEmbedding({ clock, index, onProgress, onChange }: EmbeddingParts): Embedding {
  let embedder: Embedder | undefined;
  let reasons: readonly string[] = ['No provider has been looked for yet.'];
  let failure: { readonly reason: string; readonly waitMs: number; readonly until: number } | undefined;
  let stopping = new AbortController();
  let running: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;
  const queries = new Map<string, Float32Array>();

  const isWaiting = (): boolean => failure !== undefined && clock.monotonic() < failure.until;

  const fail = (error: unknown): void => {
    const doubled = Math.min(2 * (failure?.waitMs ?? backOffMs.first / 2), backOffMs.longest);
    const waitMs = isRefused(error) ? backOffMs.longest : doubled;
    const reason = error instanceof PincerError ? reasonOf(error) : errorMessage(error);
    failure = { reason, waitMs, until: clock.monotonic() + waitMs };
    cancelRetry?.();
    cancelRetry = clock.after(waitMs, () => void run());
    onChange();
  };
  const succeed = (): void => {
    if (failure === undefined) return;
    failure = undefined;
    cancelRetry?.();
    onChange();
  };

  const embedMissing = async (from: Embedder, signal: AbortSignal): Promise<void> => {
    const { space } = from;
    for (let isFirst = true; ; isFirst = false) {
      const at = index();
      const missing = at.store.withoutVector(space, batch);
      if (signal.aborted) return;
      if (missing.length === 0) {
        if (!isFirst) at.store.keepVectorsOf(space);
        return;
      }
      const fresh = missing.filter(({ passage, hash }) => {
        const cached = at.store.cachedVector(space, hash);
        if (cached !== undefined) at.setVector(passage, space, cached);
        return cached === undefined;
      });
      const vectors = fresh.length === 0 ? [] : await from.embedPassages(fresh.map(embeddedText), signal);
      // The index may be another one by now; it finds these in the cache.
      const { store } = index();
      for (const [nth, { hash }] of fresh.entries()) {
        const vector = vectors[nth];
        if (vector === undefined) throw new PincerError('embedding_failed', `${from.name} left out a text.`);
        store.cacheVector(space, hash, vector);
      }
      onProgress({ phase: 'embed', done: index().vectors.size, total: index().lexical.passages });
      onChange();
    }
  };

  const work = async (): Promise<void> => {
    const from = embedder;
    const { signal } = stopping;
    if (from === undefined || isWaiting()) return;
    try {
      await embedMissing(from, signal);
      if (!signal.aborted) succeed();
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      onProgress(undefined);
    }
  };

  const run = (): Promise<void> => (running ??= work().finally(() => (running = undefined)));

  const stop = async (): Promise<void> => {
    stopping.abort();
    cancelRetry?.();
    await running;
    await embedder?.close();
    embedder = failure = undefined;
    queries.clear();
  };

  return {
    async configure(resolve) {
      await stop();
      stopping = new AbortController();
      try {
        ({ embedder, reasons } = { embedder: undefined, ...(await resolve()) });
      } catch (error) {
        reasons = [errorMessage(error)];
      }
      index().useVectors(embedder?.space);
      onChange();
    },
    run,
    async embedQuery(query, signal) {
      if (embedder === undefined || index().vectors.size === 0) return undefined;
      if (isWaiting()) return undefined;
      const known = queries.get(query);
      if (known !== undefined) return known;
      try {
        const vector = await withinTime(clock, embedder, query, signal);
        keepNewest(queries, query, vector);
        succeed();
        return vector;
      } catch (error) {
        if (!signal.aborted && !stopping.signal.aborted) fail(error);
        return undefined;
      }
    },
    space: () => embedder?.space,
    state() {
      const total = index().lexical.passages;
      if (embedder === undefined) return { state: 'off', reason: reasons.join(' '), embedded: 0, total };
      const { space } = embedder;
      const said = { provider: space.provider, model: space.model, embedded: index().vectors.size, total };
      return failure === undefined
        ? { state: 'on', ...said }
        : { state: 'failing', reason: failure.reason, ...said };
    },
    close: stop,
  };
}

async function withinTime(
  clock: Clock,
  embedder: Embedder,
  query: string,
  signal: AbortSignal,
): Promise<Float32Array> {
  const late = new AbortController();
  const cancel = clock.after(queryMs, () => late.abort());
  try {
    return await embedder.embedQuery(query, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (!late.signal.aborted || signal.aborted) throw error;
    const message = `${embedder.name} took more than ${String(queryMs / 1_000)} seconds for the query.`;
    throw new PincerError('embedding_failed', message);
  } finally {
    cancel();
  }
}

/** The last hundred: a search is often asked again with another limit. */
function keepNewest(queries: Map<string, Float32Array>, query: string, vector: Float32Array): void {
  queries.set(query, vector);
  const [oldest] = queries.keys();
  if (queries.size > 100 && oldest !== undefined) queries.delete(oldest);
}
