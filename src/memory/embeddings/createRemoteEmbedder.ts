import { raceAbort } from '../../base/abort.ts';
import type { Clock, HttpClient } from '../../host/ports.ts';
import { estimateTokens } from '../markdown/tokens.ts';
import { askOnce, planEndpoint, planRetry } from './askOnce.ts';
import {
  createVectorReader,
  cutToTokens,
  type Embedder,
  embeddingFailed,
  type EmbeddingUse,
  fingerprint,
  planBatches,
} from './embedder.ts';
import type { EmbeddingProvider } from './providers.ts';

/** Requests at once. */
const concurrency = 4;
/** Estimated tokens of one request. */
const maxBatchTokens = 8_000;
/** A text is not cut below it, however long a server finds it. Estimated tokens. */
const shortestCut = 64;

/** A search waits for its query, and answers without it soon; passages have time. */
const requestLimits = {
  query: { attempts: 2, timeoutMs: 15_000 },
  passage: { attempts: 4, timeoutMs: 120_000 },
} as const;

interface RemoteEmbedderOptions {
  readonly provider: EmbeddingProvider;
  /** What people call it in errors; default the provider's name. */
  readonly name?: string;
  /** What the status shows; default `name`. */
  readonly title?: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Empty where none is needed. */
  readonly key: string;
  readonly http: HttpClient;
  readonly clock: Clock;
}

/** @throws PincerError `embedding_refused` for an address or a key that must not be used; nothing was sent then. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const { provider, model, http, clock } = options;
  const name = options.name ?? provider.name;
  const endpoint = planEndpoint({ ...options, name });
  const readVectors = createVectorReader(endpoint.who);

  const embedBatch = async (
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> => {
    const { attempts, timeoutMs } = requestLimits[use];
    let sent = texts;
    let failed = 0;
    for (;;) {
      const body = provider.body({ model, texts: sent, use });
      const attempt = await askOnce({ provider, endpoint, http, clock, timeoutMs, signal }, body);
      if ('answer' in attempt) return readVectors(provider.read(attempt.answer), sent.length);
      const { failure } = attempt;
      const half = Math.floor(Math.max(...sent.map(estimateTokens)) / 2);
      if (failure.isTooLong === true && half >= shortestCut) {
        sent = sent.map((text) => cutToTokens(text, half));
        continue;
      }
      failed += 1;
      const wait = planRetry({ failed, attempts, retryAfterMs: undefined, ...failure });
      if (wait === undefined) throw failure.error;
      await pause(clock, wait, signal);
    }
  };

  const embed = async (
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> => {
    const cut = texts.map((text) => cutToTokens(text, provider.maxTokens));
    const limits = { maxTexts: provider.maxTexts, maxTokens: maxBatchTokens };
    const batches = [...planBatches(cut, (text) => text, limits)];
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      const work = mapConcurrently(batches, concurrency, (batch) => embedBatch(batch, use, either));
      return (await work).flat();
    } finally {
      // After the first failure the other requests would be for nothing.
      stop.abort();
    }
  };

  return {
    space: {
      provider: provider.id,
      model,
      providerKey: fingerprint([provider.id, endpoint.address, model, String(provider.dimensions(model))]),
    },
    name: options.title ?? name,
    maxTokens: provider.maxTokens,
    async embedQuery(text, signal) {
      const [vector] = await embed([text], 'query', signal);
      if (vector === undefined) throw embeddingFailed(endpoint.who, 'sent no embedding.');
      return vector;
    },
    embedPassages: (texts, signal) => embed(texts, 'passage', signal),
    close: () => Promise.resolve(),
  };
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancelTimer = (): void => undefined;
  const timer = new Promise<void>((resolve) => {
    cancelTimer = clock.after(ms, resolve);
  });
  try {
    await raceAbort(timer, signal);
  } finally {
    cancelTimer();
  }
}

/** Calls `work` for each item, at most `limit` at a time; results in the order of the items. The first failure ends it. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const queue = items.entries();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (const [place, item] of queue) {
      if (failed) return;
      results[place] = await work(item);
    }
  };
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    try {
      await lane();
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  await Promise.all(lanes);
  return results;
}
