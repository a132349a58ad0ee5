import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoopbackNetwork } from '../../test/builders/createLoopbackNetwork.ts';
import { openGuardedFetch, textOf, type GuardedFetchWorld } from '../../test/builders/openGuardedFetch.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';

let world: GuardedFetchWorld;

beforeAll(async () => {
  world = await openGuardedFetch();
});
afterAll(async () => await world.close());
beforeEach(() => world.reset());

describe('what comes back', () => {
  it.each([
    ['gzip', gzipSync('packed text')],
    ['GZIP', gzipSync('packed text')],
    ['deflate', deflateSync('packed text')],
    ['deflate', deflateRawSync('packed text')],
    ['br', brotliCompressSync('packed text')],
    ['identity', Buffer.from('packed text')],
  ])('is unpacked: %s', async (encoding, body) => {
    world.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    const response = await world.fetch(world.at('a.example'));
    expect(textOf(response)).toBe('packed text');
    expect(response.isCut).toBe(false);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('is not unpacked beyond the cap: a bomb of %s', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64_000_000));
    world.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    const before = process.memoryUsage().arrayBuffers;
    const response = await world.fetch(world.at('a.example'), { maxBytes: 100_000 });
    expect(response).toMatchObject({ isCut: true, bytes: { length: 100_000 } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  it('is cut at the cap where it is not packed, and the connection ends', async () => {
    const closed = new Promise<void>((resolve) => {
      world.answer = (request, response) => {
        request.socket.on('close', () => resolve());
        response.writeHead(200);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        };
        response.on('drain', more);
        more();
      };
    });
    expect(await world.fetch(world.at('a.example'))).toMatchObject({ isCut: true, bytes: { length: 1_000 } });
    await closed;
  });

  it('is whole where it is exactly as long as the cap', async () => {
    world.answer = (_request, response) => void response.end('x'.repeat(1_000));
    expect(await world.fetch(world.at('a.example'))).toMatchObject({
      isCut: false,
      bytes: { length: 1_000 },
    });
  });

  it('may come in chunks', async () => {
    world.answer = (_request, response) => {
      for (const piece of ['one ', 'two ', 'three']) response.write(piece);
      response.end();
    };
    expect(textOf(await world.fetch(world.at('a.example')))).toBe('one two three');
  });

  it('may be nothing, packed or not', async () => {
    world.answer = (_request, response) => void response.writeHead(204).end();
    expect(await world.fetch(world.at('a.example'))).toMatchObject({ status: 204, bytes: { length: 0 } });
    world.answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end();
    expect(await world.fetch(world.at('a.example'))).toMatchObject({ status: 200, bytes: { length: 0 } });
  });

  it.each(['gzip, gzip', 'zstd', 'compress'])('is refused where it is packed as %s', async (encoding) => {
    const body = gzipSync(gzipSync('x'));
    world.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    await expect(world.fetch(world.at('a.example'))).rejects.toMatchObject({ code: 'net_encoding' });
  });

  it('is an error where it is packed, but broken', async () => {
    const body = gzipSync('x'.repeat(500)).subarray(0, 15);
    world.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    await expect(world.fetch(world.at('a.example'))).rejects.toMatchObject({ code: 'net_encoding' });
  });

  it.each(['identity', 'gzip'])('is an error where the connection breaks (%s)', async (encoding) => {
    world.answer = (request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': '1000' });
      response.write(gzipSync('x'.repeat(500)).subarray(0, 15), () => request.socket.destroy());
    };
    await expect(world.fetch(world.at('a.example'))).rejects.toMatchObject({ code: 'net_failed' });
  });
});

describe('the time limit', () => {
  it.each([
    ['before the headers', (_response: ServerResponse) => undefined],
    ['between two bytes', (response: ServerResponse) => void response.writeHead(200).write('x')],
  ])('ends a server that stops %s', async (_when, begin) => {
    const clock = createManualClock();
    const arrived = new Promise<void>((resolve) => {
      world.answer = (request, response) => {
        begin(response);
        request.socket.on('close', () => resolve());
        setImmediate(() => clock.advance(30_000));
      };
    });
    await expect(world.fetch(world.at('slow.example'), { clock })).rejects.toMatchObject({
      code: 'net_timeout',
    });
    await arrived;
  });

  it('counts from the first look-up to the last byte: drops of a slow server gain it nothing', async () => {
    const clock = createManualClock();
    world.answer = (request, response) => {
      response.writeHead(200);
      const drip = (): void => {
        if (request.socket.destroyed) return;
        clock.advance(9_000);
        response.write('x', () => setImmediate(drip));
      };
      drip();
    };
    await expect(world.fetch(world.at('slow.example'), { clock })).rejects.toMatchObject({
      code: 'net_timeout',
    });
    expect(clock.now()).toBeLessThan(60_000);
  });

  it('ends at once when the caller cancels, a look-up that hangs included', async () => {
    const controller = new AbortController();
    const { network } = createLoopbackNetwork();
    const hangs = { ...network, lookup: () => new Promise<never>(() => undefined) };
    const answered = world.fetch(world.at('a.example'), {
      over: { network: hangs },
      signal: controller.signal,
    });
    controller.abort();
    await expect(answered).rejects.toMatchObject({ code: 'cancelled' });
  });
});
