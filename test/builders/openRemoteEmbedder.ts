import { createNodeHttpClient } from '../../src/host/node/nodeHttpClient.ts';
import type { Clock } from '../../src/host/ports.ts';
import type { Embedder } from '../../src/memory/embeddings/embedder.ts';
import { type EmbeddingProvider, openAi } from '../../src/memory/embeddings/providers.ts';
import { createRemoteEmbedder } from '../../src/memory/embeddings/createRemoteEmbedder.ts';

/** The key that is sent unless a test gives another. */
export const testKey = 'sk-secret-123456';

/** An embedder over a server of the test. */
export function openRemoteEmbedder(
  place: { readonly baseUrl: string; readonly clock: Clock },
  provider: EmbeddingProvider = openAi,
  more: { readonly model?: string; readonly key?: string } = {},
): Embedder {
  const options = { model: provider.model, key: testKey, ...more };
  return createRemoteEmbedder({ provider, http: createNodeHttpClient(), ...place, ...options });
}
