import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeHttpClient } from '../../../host/node/nodeHttpClient.ts';
import type { Embedder } from '../embedder.ts';
import { normalizeEmbedding } from '../normalizeEmbedding.ts';
import type { EmbeddingProvider } from '../providers/embeddingProvider.ts';
import { gemini } from '../providers/gemini.ts';
import { localServer } from '../providers/localServer.ts';
import { openAi } from '../providers/openAi.ts';
import { voyage } from '../providers/voyage.ts';
import { createWatchedClock, type WatchedClock } from '../../../../test/builders/createWatchedClock.ts';
import {
  hang,
  json,
  openAiVectors,
  startEmbeddingServer,
  status,
  vectorOf,
  type EmbeddingServer,
} from '../../../../test/builders/startEmbeddingServer.ts';
import { createRemoteEmbedder } from './createRemoteEmbedder.ts';

const key = 'sk-secret-123456';
let server: EmbeddingServer;
let clock: WatchedClock;
beforeEach(async () => {
  server = await startEmbeddingServer();
  clock = createWatchedClock(Date.parse('2026-01-01T00:00:00Z'));
});
afterEach(() => server.close());

function open(provider: EmbeddingProvider = openAi, more: { model?: string; key?: string } = {}): Embedder {
  const options = { model: provider.model, key, ...more };
  return createRemoteEmbedder({
    provider,
    baseUrl: server.origin,
    http: createNodeHttpClient(),
    clock,
    ...options,
  });
}

const never = (): AbortSignal => new AbortController().signal;
const unit = (text: string): Float32Array => normalizeEmbedding(vectorOf(text));

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
    expect(server.mostAtOnce).toBe(4);
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

describe('what comes back', () => {
  it('is put into the order of the texts by index, with length 1', async () => {
    server.script(
      json({
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [3, 4] },
        ],
      }),
    );
    expect(await open().embedPassages(['a', 'b'], never())).toEqual([
      normalizeEmbedding([3, 4]),
      normalizeEmbedding([0, 1]),
    ]);
  });

  it('null is what JSON makes of NaN, and counts as 0', async () => {
    server.script(json({ data: [{ embedding: [null, 3, 4] }] }));
    expect(await open().embedQuery('a', never())).toEqual(Float32Array.of(0, 0.6, 0.8));
  });

  it.each([
    ['too few', { data: [{ index: 0, embedding: [1] }] }, 'sent 1 embeddings for 2 texts.'],
    [
      'an index twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
      'holds no embeddings',
    ],
    ['texts for numbers', { data: [{ embedding: ['1'] }, { embedding: ['1'] }] }, 'no list of numbers'],
    ['nothing but NaN', { data: [{ embedding: [null] }, { embedding: [null] }] }, 'no list of numbers'],
    ['empty lists', { data: [{ embedding: [] }, { embedding: [] }] }, 'no list of numbers'],
    ['two lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }, '2 numbers where others have 1'],
    ['no list', { data: 'x' }, 'holds no embeddings'],
    ['null', null, 'holds no embeddings'],
  ])('a wrong answer is an error, and is not asked for again: %s', async (_what, body, message) => {
    server.script(json(body));
    await expect(open().embedPassages(['a', 'b'], never())).rejects.toMatchObject({
      code: 'embedding_failed',
      message: expect.stringContaining(message) as string,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('all vectors have as many numbers as the first', async () => {
    server.script(openAiVectors(4), openAiVectors(5));
    const embedder = open();
    await embedder.embedQuery('a', never());
    await expect(embedder.embedQuery('b', never())).rejects.toMatchObject({
      message: expect.stringContaining('5 numbers where others have 4') as string,
    });
  });

  it('an answer without an end is dropped', async () => {
    const block = 'x'.repeat(1024 * 1024);
    let written = 0;
    server.script((_request, response) => {
      const more = (): void => {
        written += 1;
        if (!response.destroyed) response.write(block, more);
      };
      more();
    });
    await expect(open().embedQuery('a', never())).rejects.toMatchObject({
      code: 'embedding_failed',
      message: expect.stringContaining('more than any answer holds') as string,
    });
    await server.abandoned;
    expect(written).toBeLessThan(64);
  });

  it('text that is no JSON is quoted', async () => {
    server.script((_request, response) => void response.end('<html>hello'));
    await expect(open().embedQuery('a', never())).rejects.toMatchObject({
      message: expect.stringContaining('sent no JSON: <html>hello') as string,
    });
  });
});

describe('failures', () => {
  it.each([408, 429, 500, 503])('status %i is asked again after 500 ms', async (code) => {
    server.script(status(code), openAiVectors());
    const work = open().embedPassages(['a'], never());
    await clock.pass(500);
    expect(await work).toEqual([unit('a')]);
  });

  it('three further attempts are made after 0.5, 2 and 8 s, and then what the server said is the error', async () => {
    server.script(status(503, { error: { message: 'overloaded' } }));
    const work = open().embedPassages(['a'], never());
    const passed = clock
      .pass(500)
      .then(() => clock.pass(2_000))
      .then(() => clock.pass(8_000));
    await expect(work).rejects.toMatchObject({
      code: 'embedding_failed',
      message: `OpenAI (model “text-embedding-3-small”, ${server.origin}/v1) failed with status 503: overloaded`,
    });
    await passed;
    expect(server.requests).toHaveLength(4);
  });

  it('a search waits for two attempts at most', async () => {
    server.script(status(503));
    const work = open().embedQuery('a', never());
    void clock.pass(500);
    await expect(work).rejects.toMatchObject({ code: 'embedding_failed' });
    expect(server.requests).toHaveLength(2);
  });

  it('Retry-After is kept to', async () => {
    server.script(status(429, {}, { 'retry-after': '7' }), openAiVectors());
    const work = open().embedPassages(['a'], never());
    await clock.pass(7_000);
    expect(await work).toEqual([unit('a')]);
  });

  it('a server that wants minutes is left alone', async () => {
    server.script(status(429, { error: { message: 'quota' } }, { 'retry-after': '600' }));
    await expect(open().embedPassages(['a'], never())).rejects.toMatchObject({ code: 'embedding_failed' });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [401, 'did not accept the key: no [key]', 'OPENAI_API_KEY'],
    [403, 'did not accept the key: no [key]', 'memory.remote.apiKey'],
    [404, 'has no such model', 'memory.model'],
    [400, 'refused the request (status 400): no [key]', 'memory.model'],
  ])('status %i is refused at once, with what to do and without the key', async (code, message, hint) => {
    server.script(status(code, { error: { message: `no ${key}` } }));
    const error: unknown = await open()
      .embedPassages(['a'], never())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'embedding_refused',
      message: expect.stringContaining(message) as string,
      hint: expect.stringContaining(hint) as string,
    });
    expect(JSON.stringify(error) + String(error)).not.toContain(key);
    expect(server.requests).toHaveLength(1);
  });

  it('a redirect is not followed', async () => {
    const other = await startEmbeddingServer();
    try {
      server.script(status(307, {}, { location: `${other.origin}/v1/embeddings` }));
      await expect(open().embedQuery('a', never())).rejects.toMatchObject({
        code: 'embedding_refused',
        message: expect.stringContaining('points to another address') as string,
      });
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('no server at all is asked again, and told in plain words', async () => {
    const embedder = open();
    await server.close();
    const work = embedder.embedQuery('a', never());
    void clock.pass(500);
    await expect(work).rejects.toMatchObject({
      code: 'embedding_failed',
      message: expect.stringContaining('nothing listens at that address') as string,
    });
  });

  it('an answer that does not come ends with the time', async () => {
    server.script(hang);
    const work = open().embedQuery('a', never());
    await server.waitForRequests(1);
    void clock.pass(15_000);
    await expect(work).rejects.toMatchObject({
      code: 'embedding_failed',
      message: expect.stringContaining('did not answer within 15 s') as string,
    });
  });

  it('a cancel counts at once, while waiting for an answer and while waiting for the next attempt', async () => {
    server.script(hang);
    const first = new AbortController();
    const work = open().embedPassages(['a'], first.signal);
    await server.waitForRequests(1);
    first.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    await server.abandoned;

    server.script(status(503));
    const second = new AbortController();
    const again = open().embedPassages(['a'], second.signal);
    await clock.set(500);
    second.abort();
    await expect(again).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.requests).toHaveLength(2);
  });

  it('after the first batch that fails for good the others are dropped', async () => {
    server.script(status(401), hang);
    const texts = Array.from({ length: 12 }, (_each, at) => String(at).padEnd(16_000, 'x'));
    await expect(open().embedPassages(texts, never())).rejects.toMatchObject({ code: 'embedding_refused' });
    await server.abandoned;
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });
});

describe('the vector space', () => {
  it('differs with the address and the model, and holds no key', () => {
    const keys = [open(), open(openAi, { model: 'other' }), open(openAi, { key: 'another-key' })].map(
      ({ space }) => space.providerKey,
    );
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[0]).toBe(keys[2]);
    expect(open().space).toMatchObject({ provider: 'openai', model: 'text-embedding-3-small' });
  });
});
