import { describe, expect, it } from 'vitest';
import { withPrompt } from './providers.ts';

describe('withPrompt', () => {
  it.each([
    ['nomic-embed-text', 'search_query: a', 'search_document: a'],
    ['text-embedding-nomic-embed-text-v1.5', 'search_query: a', 'search_document: a'],
    ['embeddinggemma-300m-qat-Q8_0.gguf', 'task: search result | query: a', 'title: none | text: a'],
    ['intfloat/multilingual-e5-small', 'query: a', 'passage: a'],
    ['e5-base-v2', 'query: a', 'passage: a'],
    ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: a', 'a'],
    ['all-minilm', 'a', 'a'],
    ['bge-m3', 'a', 'a'],
  ])('%s', (model, query, passage) => {
    expect(withPrompt(model, 'query', 'a')).toBe(query);
    expect(withPrompt(model, 'passage', 'a')).toBe(passage);
  });
});
