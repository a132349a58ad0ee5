import type { EmbeddingProvider } from './embeddingProvider.ts';
import { readIndexedVectors } from './readIndexedVectors.ts';

/** Voyage AI: OpenAI's protocol with `input_type`. */
export const voyage: EmbeddingProvider = {
  id: 'voyage',
  name: 'Voyage',
  baseUrl: 'https://api.voyageai.com/v1',
  basePath: '/v1',
  model: 'voyage-4-lite',
  maxTokens: 8_000,
  maxTexts: 128,
  keyVariable: 'VOYAGE_API_KEY',
  dimensions: () => undefined,
  path: () => '/embeddings',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, texts, use }) => ({
    model,
    input: texts,
    input_type: use === 'query' ? 'query' : 'document',
  }),
  read: readIndexedVectors,
};
