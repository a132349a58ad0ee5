import { isRecord } from '../../../base/json.ts';
import type { EmbeddingProvider } from './embeddingProvider.ts';

const taskTypes = { query: 'RETRIEVAL_QUERY', passage: 'RETRIEVAL_DOCUMENT' } as const;

/** Google's Gemini API: `models/{model}:batchEmbedContents`. The key travels in a header, never in the address. */
export const gemini: EmbeddingProvider = {
  id: 'gemini',
  name: 'Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  basePath: '/v1beta',
  model: 'gemini-embedding-001',
  maxTokens: 1_000,
  maxTexts: 100,
  keyVariable: 'GEMINI_API_KEY',
  dimensions: dimensionsOf,
  path: (model) => `/models/${encodeURIComponent(model)}:batchEmbedContents`,
  headers: (key) => ({ 'x-goog-api-key': key }),
  body({ model, texts, use }) {
    const dimensions = dimensionsOf(model);
    return {
      requests: texts.map((text) => ({
        model: `models/${model}`,
        content: { parts: [{ text }] },
        taskType: taskTypes[use],
        ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      })),
    };
  },
  read(answer) {
    const embeddings = isRecord(answer) ? answer['embeddings'] : undefined;
    if (!Array.isArray(embeddings)) return undefined;
    return embeddings.map((each: unknown) => (isRecord(each) ? each['values'] : undefined));
  },
};

function dimensionsOf(model: string): number | undefined {
  return model.startsWith('gemini-embedding-') ? 768 : undefined;
}
