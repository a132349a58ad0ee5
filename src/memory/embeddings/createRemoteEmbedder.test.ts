import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWatchedClock, type WatchedClock } from '../../../test/builders/createWatchedClock.ts';
import { openRemoteEmbedder, testKey as key } from '../../../test/builders/openRemoteEmbedder.ts';
import {
  type EmbeddingServer,
  hang,
  json,
  openAiVectors,
  startEmbeddingServer,
  status,
  vectorOf,
} from '../../../test/builders/startEmbeddingServer.ts';
import { mapConcurrently } from './createRemoteEmbedder.ts';
import { type Embedder, normalizeEmbedding } from './embedder.ts';
import { type EmbeddingProvider, localServer, openAi } from './providers.ts';

describe('createRemoteEmbedder', () => {
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
  const unit = (text: string): Float32Array => normalizeEmbedding(vectorOf(text));

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
      ['texts for numbers', { data: [{ embedding: ['1'] }, { embedding: ['1'] }] }, 'no list of numbers'],
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

  describe('a server that fails', () => {
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

    it('a local server that wants a key is told so', async () => {
      server.script(status(401));
      await expect(open(localServer, { key: '' }).embedQuery('a', never())).rejects.toMatchObject({
        message: expect.stringContaining('asks for a key') as string,
        hint: expect.stringContaining('memory.remote.apiKey') as string,
      });
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
});

describe('mapConcurrently', () => {
  it('works on no more than the limit at once, and keeps the order', async () => {
    let running = 0;
    let most = 0;
    const double = async (value: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return value * 2;
    };
    expect(await mapConcurrently([1, 2, 3, 4, 5], 2, double)).toEqual([2, 4, 6, 8, 10]);
    expect(most).toBe(2);
  });

  it('begins nothing more after a failure', async () => {
    const begun: number[] = [];
    const work = async (value: number): Promise<number> => {
      begun.push(value);
      await Promise.resolve();
      if (value === 1) throw new Error('no');
      return value;
    };
    await expect(mapConcurrently([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('no');
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun.length).toBeLessThan(5);
  });
});
