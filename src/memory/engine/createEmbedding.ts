import { createHash } from 'node:crypto';
import { errorMessage } from '../../base/errors.ts';
import { setBounded } from '../../base/setBounded.ts';
import type { Clock } from '../../host/ports.ts';
import { createEmbeddingRun, type EmbeddingRun } from '../embeddings/createEmbeddingRun.ts';
import type { Embedder, ResolvedEmbedder } from '../embeddings/embedder.ts';
import { createFindPackage } from '../embeddings/findPackage.ts';
import { resolveEmbedder } from '../embeddings/resolveEmbedder.ts';
import type { MemoryProgress, VectorState } from '../memory.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { NewPassage, StoredPassage, VectorSpace } from '../store/rows.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import type { EngineDeps } from './engineState.ts';

/** Passages that the store is asked for in one go. */
const page = 64;

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

interface EmbeddingParts {
  readonly clock: Clock;
  readonly index: () => LiveIndex;
  readonly onProgress: (progress: MemoryProgress | undefined) => void;
  /** The state or the vectors changed. */
  readonly onChange: () => void;
}

/** The embedder in use, and how it goes. */
interface Leg {
  readonly embedder: Embedder;
  readonly run: EmbeddingRun;
}

export function createEmbedding({ clock, index, onProgress, onChange }: EmbeddingParts): Embedding {
  let leg: Leg | undefined;
  let reasons: readonly string[] = ['No embedding provider has been looked up yet.'];
  let stopping = new AbortController();
  let running: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;
  /** Why the last pass broke off, where the provider is not to blame. */
  let fault: string | undefined;
  const queries = new Map<string, Float32Array>();

  /** Gives passages the vectors that the cache holds for their texts; the first `limit` that it has none for are left. */
  const missing = (space: VectorSpace, limit: number): readonly StoredPassage[] => {
    const at = index();
    return at.store.withoutVector(space, limit).filter(({ passage, hash }) => {
      const cached = at.store.cachedVector(space, hash);
      if (cached !== undefined) at.setVector(passage, space, cached);
      return cached === undefined;
    });
  };

  /** What has no vector, each text once; `asked` are the hashes that were given out and have not come back. */
  function* texts(
    space: VectorSpace,
    asked: Set<string>,
  ): Generator<{ readonly hash: string; readonly text: string }> {
    let found = asked.size + page;
    while (found > 0) {
      found = 0;
      for (const passage of missing(space, asked.size + page)) {
        if (asked.has(passage.hash)) continue;
        found += 1;
        asked.add(passage.hash);
        yield { hash: passage.hash, text: embeddedText(passage) };
      }
    }
  }

  const pass = async ({ embedder, run }: Leg, signal: AbortSignal): Promise<void> => {
    const { space } = embedder;
    const asked = new Set<string>();
    // Where a page of passages finds all its vectors in the cache, or shares texts that are on their way, there is nothing to ask
    // and more may be behind it.
    let left: readonly StoredPassage[] = [];
    for (let before = -1; index().vectors.size > before;) {
      before = index().vectors.size;
      for await (const { task, vector } of run.embed(texts(space, asked), signal)) {
        asked.delete(task.hash);
        // The index may be another one by now; its passages find their vectors in the cache.
        index().store.cacheVector(space, task.hash, vector);
        onProgress({ phase: 'embed', done: index().vectors.size, total: index().lexical.passages });
        onChange();
      }
      left = missing(space, asked.size + 4 * page);
    }
    if (left.length === 0) index().store.keepVectorsOf(space);
  };

  /** After a failure the next pass comes by itself. */
  const noteHealth = ({ run }: Leg): void => {
    cancelRetry?.();
    const { nextAttempt } = run.state();
    if (nextAttempt !== undefined) {
      cancelRetry = clock.after(Math.max(0, nextAttempt - clock.now()), () => void embedAll());
    }
    onChange();
  };

  const work = async (): Promise<void> => {
    const from = leg;
    const { signal } = stopping;
    if (from === undefined) return;
    fault = undefined;
    try {
      await pass(from, signal);
    } catch (error) {
      if (!signal.aborted) fault = errorMessage(error);
    } finally {
      onProgress(undefined);
      if (!signal.aborted) noteHealth(from);
    }
  };

  const embedAll = (): Promise<void> => (running ??= work().finally(() => (running = undefined)));

  const stop = async (): Promise<void> => {
    stopping.abort();
    cancelRetry?.();
    await running;
    // What a model still holds goes with the thread: it must not keep the index from being closed.
    await leg?.embedder.close().catch(() => undefined);
    leg = undefined;
    fault = undefined;
    queries.clear();
  };

  return {
    async configure(resolve) {
      await stop();
      stopping = new AbortController();
      try {
        const resolved = await resolve();
        reasons = resolved.reasons;
        const { embedder } = resolved;
        if (embedder !== undefined) leg = { embedder, run: createEmbeddingRun(embedder, clock) };
      } catch (error) {
        reasons = [errorMessage(error)];
      }
      index().useVectors(leg?.embedder.space);
      onChange();
    },
    run: embedAll,
    async embedQuery(query, signal) {
      if (leg === undefined || index().vectors.size === 0) return undefined;
      const known = queries.get(query);
      if (known !== undefined) return known;
      const asking = leg;
      const before = asking.run.state().state;
      const vector = await asking.run.embedQuery(query, AbortSignal.any([signal, stopping.signal]));
      if (asking.run.state().state !== before) noteHealth(asking);
      if (vector !== undefined) setBounded(queries, query, vector, maxQueries);
      return vector;
    },
    space: () => leg?.embedder.space,
    state() {
      const total = index().lexical.passages;
      if (leg === undefined) return { state: 'off', reason: reasons.join(' '), embedded: 0, total };
      const { provider, model } = leg.embedder.space;
      const { state, reason } =
        fault === undefined ? leg.run.state() : { state: 'failing' as const, reason: fault };
      const said = { state, provider, model, embedded: index().vectors.size, total };
      return reason === undefined ? said : { ...said, reason };
    },
    close: stop,
  };
}

/** Vectors of queries that are kept: a search is often asked again with another limit. */
const maxQueries = 100;

/** What is embedded of a passage: the headings above it, and its text. */
function embeddedText({ headings, text }: Pick<NewPassage, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n${text}`;
}

/** SHA-256, hexadecimal. */
export function embeddedHash(passage: Pick<NewPassage, 'headings' | 'text'>): string {
  return createHash('sha256').update(embeddedText(passage)).digest('hex');
}

const notTrusted =
  'Embeddings are switched off: this window is not trusted, and no text of it is sent anywhere.';

/**
 * Finds the provider of embeddings by the settings of the moment, one search after the other. Resolves when it is in use; never
 * rejects.
 */
export function createProviderSearch(
  deps: EngineDeps,
  settings: () => MemorySettings,
  embedding: Embedding,
): () => Promise<void> {
  const resolve = (): Promise<ResolvedEmbedder> => {
    const { embeddings, keys, roots, isTrusted, pluginEmbedder } = settings();
    if (!isTrusted) return Promise.resolve({ reasons: [notTrusted] });
    const findPackage = createFindPackage({ fs: deps.fs, untrusted: roots.map((root) => root.path) });
    return resolveEmbedder(embeddings, keys, { ...deps, findPackage, pluginEmbedder });
  };
  let finding = Promise.resolve();
  return () => (finding = finding.then(() => embedding.configure(resolve)));
}
