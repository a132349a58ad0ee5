import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWatchedClock, type WatchedClock } from '../../../test/builders/createWatchedClock.ts';
import { openRemoteEmbedder, testKey as key } from '../../../test/builders/openRemoteEmbedder.ts';
import {
  type EmbeddingServer,
  json,
  openAiVectors,
  startEmbeddingServer,
  status,
} from '../../../test/builders/startEmbeddingServer.ts';
import { type Embedder, normalizeEmbedding } from './embedder.ts';
import { type EmbeddingProvider, gemini, localServer, openAi, voyage } from './providers.ts';

let server: EmbeddingServer;
let clock: WatchedClock;
beforeEach(async () => {
  server = await startEmbeddingServer();
  clock = createWatchedClock(Date.parse('2026-01-01T00:00:00Z'));
});
afterEach(() => server.close());

const open = (provider?: EmbeddingProvider, more?: { model?: string; key?: string }): Embedder =>
  openRemoteEmbedder({ baseUrl: server.origin, clock }, provider, more);

const never = (): AbortSignal => new AbortController().signal;

describe('what is sent', () => {
  it('OpenAI gets model, texts and a short vector’s length, and the key as a bearer', async () => {
    server.script(openAiVectors());
    await open().embedPassages(['one', 'three'], never());
    expect(server.requests).toMatchObject([
      {
        path: '/v1/embeddings',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: {
          model: 'text-embedding-3-small',
          input: ['one', 'three'],
          encoding_format: 'float',
          dimensions: 768,
        },
      },
    ]);
  });

  it('a model that cannot shorten its vectors is not asked to', async () => {
    server.script(openAiVectors());
    await open(openAi, { model: 'text-embedding-ada-002' }).embedQuery('one', never());
    expect(server.requests[0]?.body).not.toHaveProperty('dimensions');
  });

  it('Gemini gets one request a text with its task, and the key in a header, not in the address', async () => {
    server.script(json({ embeddings: [{ values: [3, 4] }] }));
    const embedder = open(gemini);
    expect(await embedder.embedQuery('one', never())).toEqual(normalizeEmbedding([3, 4]));
    await embedder.embedPassages(['two'], never());
    const asked = (text: string, taskType: string) => ({
      path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
      headers: { 'x-goog-api-key': key },
      body: {
        requests: [
          {
            model: 'models/gemini-embedding-001',
            content: { parts: [{ text }] },
            taskType,
            outputDimensionality: 768,
          },
        ],
      },
    });
    expect(server.requests).toMatchObject([
      asked('one', 'RETRIEVAL_QUERY'),
      asked('two', 'RETRIEVAL_DOCUMENT'),
    ]);
  });

  it('Voyage is told whether a text is a query or a document', async () => {
    server.script(openAiVectors());
    const embedder = open(voyage);
    await embedder.embedQuery('one', never());
    await embedder.embedPassages(['two'], never());
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: 'voyage-4-lite', input: ['one'], input_type: 'query' },
      { model: 'voyage-4-lite', input: ['two'], input_type: 'document' },
    ]);
  });

  it('a local server gets no key, and the text as its model was trained to read it', async () => {
    server.script(openAiVectors());
    const embedder = open(localServer, { key: '' });
    await embedder.embedQuery('one', never());
    await embedder.embedPassages(['two'], never());
    expect(server.requests.map(({ body }) => body['input'])).toEqual([
      ['search_query: one'],
      ['search_document: two'],
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('texts go in batches of at most 8,000 estimated tokens, four at a time', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    server.script((request, response) => void gate.then(() => openAiVectors()(request, response)));
    // 4,000 estimated tokens each, so two fit.
    const texts = Array.from({ length: 11 }, (_each, at) => String(at).padEnd(16_000, 'x'));
    const work = open().embedPassages(texts, never());
    await server.waitForRequests(4);
    release();
    expect(await work).toHaveLength(11);
    expect(server.requests.map(({ body }) => (body['input'] as unknown[]).length)).toEqual([
      2, 2, 2, 2, 2, 1,
    ]);
    expect(server.maxAtOnce).toBe(4);
  });

  it('a text beyond the limit is cut, and halves of characters are replaced', async () => {
    server.script(openAiVectors());
    await open().embedPassages(['x'.repeat(40_000), 'a\uD83Db'], never());
    const [long, broken] = server.requests[0]?.body['input'] as string[];
    expect(long).toHaveLength(16_000);
    expect(broken).toBe('a\uFFFDb');
  });

  it('a batch that the server finds too long is sent again with the longest texts cut to half', async () => {
    server.script(status(500, { error: { message: 'input is too large to process' } }), openAiVectors());
    await open(localServer, { key: '', model: 'any' }).embedPassages(['short', 'x'.repeat(2_000)], never());
    expect((server.requests[1]?.body['input'] as string[]).map((text) => text.length)).toEqual([5, 1_000]);
  });
});
