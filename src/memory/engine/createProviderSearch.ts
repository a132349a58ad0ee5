import type { ResolvedEmbedder } from '../embeddings/embedder.ts';
import { createFindPackage } from '../embeddings/local/findPackage.ts';
import { resolveEmbedder } from '../embeddings/resolveEmbedder.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { Embedding } from './createEmbedding.ts';
import type { EngineDeps } from './engineDeps.ts';

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
    const { embeddings, keys, roots, isTrusted } = settings();
    if (!isTrusted) return Promise.resolve({ reasons: [notTrusted] });
    const findPackage = createFindPackage({ fs: deps.fs, untrusted: roots.map((root) => root.path) });
    return resolveEmbedder(embeddings, keys, { ...deps, findPackage });
  };
  let finding = Promise.resolve();
  return () => (finding = finding.then(() => embedding.configure(resolve)));
}
