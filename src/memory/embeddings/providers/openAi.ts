import type { EmbeddingProvider } from './embeddingProvider.ts';
import { readIndexedVectors } from './readIndexedVectors.ts';

/**
 * OpenAI, and with `memory.remote.baseUrl` whatever else speaks its protocol. Asks for short vectors where the model can give
 * them: half the numbers keep nearly all of the meaning, and an index of 20,000 passages below 65 MB.
 */
export const openAi: EmbeddingProvider = {
  id: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  basePath: '/v1',
  model: 'text-embedding-3-small',
  maxTokens: 4_000,
  maxTexts: 2_048,
  keyVariable: 'OPENAI_API_KEY',
  dimensions: dimensionsOf,
  path: () => '/embeddings',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body({ model, texts }) {
    const dimensions = dimensionsOf(model);
    return {
      model,
      input: texts,
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    };
  },
  read: readIndexedVectors,
};

function dimensionsOf(model: string): number | undefined {
  return model.startsWith('text-embedding-3-') ? 768 : undefined;
}
