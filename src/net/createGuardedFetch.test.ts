import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createLoopbackNetwork,
  publicAddress,
  startLoopbackServer,
  type FakeAnswers,
  type LoopbackNetwork,
  type LoopbackServer,
} from '../../test/builders/createLoopbackNetwork.ts';
import { createManualClock } from '../host/memory/manualClock.ts';
import { createNodeNetwork } from '../host/node/nodeNetwork.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { createGuardedFetch, type GuardedRequest, type GuardedResponse } from './createGuardedFetch.ts';
import { readProxySettings } from './proxySettings.ts';

let server: LoopbackServer;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let seen: IncomingMessage[];

beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
});
afterAll(async () => await server.close());
beforeEach(() => {
  seen = [];
  answer = (_request, response) => void response.end('hello');
});

function at(host: string, path = '/'): string {
  return `http://${host}:${server.port}${path}`;
}

interface Wish extends Partial<GuardedRequest> {
  readonly answers?: FakeAnswers;
  readonly over?: LoopbackNetwork;
  readonly env?: Record<string, string>;
  readonly allowProxy?: boolean;
}

async function fetchIt(url: string, wish: Wish = {}): Promise<GuardedResponse> {
  const { answers, over, env = {}, allowProxy = false, ...request } = wish;
  const { network } = over ?? createLoopbackNetwork(answers);
  const options = { proxies: readProxySettings(env), allowProxy };
  const guardedFetch = createGuardedFetch({ network, clock: systemClock, options: () => options });
  return await guardedFetch({ url, signal: new AbortController().signal, maxBytes: 1_000, ...request });
}

function redirectTo(locations: Readonly<Record<string, string>>, status = 302): void {
  answer = (request, response) => {
    const location = locations[request.url ?? ''];
    if (location === undefined) response.end('arrived');
    else response.writeHead(status, { location }).end('moved');
  };
}

function textOf({ bytes }: GuardedResponse): string {
  return new TextDecoder().decode(bytes);
}

describe('where a request may go', () => {
  it('connects to the address that was checked, with the host as its name', async () => {
    const over = createLoopbackNetwork({ 'rebind.example': [[publicAddress], ['127.0.0.1']] });
    const response = await fetchIt(at('rebind.example', '/a?b=1#c'), { over });
    expect(textOf(response)).toBe('hello');
    expect(over.sent.map(({ route }) => route)).toEqual([{ kind: 'address', address: publicAddress }]);
    expect(seen[0]?.headers.host).toBe(`rebind.example:${server.port}`);
    expect(seen[0]?.url).toBe('/a?b=1');
  });

  it.each([
    ['one of several answers is private', [publicAddress, '10.0.0.1']],
    ['the only answer is loopback', ['127.0.0.1']],
    ['an answer is a mapped private address', ['::ffff:192.168.0.1']],
    ['an answer is no address', ['localhost']],
    ['an answer has a zone', ['fe80::1%lo']],
  ])('is refused before anything is sent when %s', async (_rule, addresses) => {
    const over = createLoopbackNetwork({ 'evil.example': addresses });
    await expect(fetchIt(at('evil.example'), { over })).rejects.toMatchObject({ code: 'net_blocked' });
    expect(over.sent).toEqual([]);
  });

  it('is refused where there is no answer', async () => {
    await expect(fetchIt(at('none.example'), { answers: { 'none.example': [] } })).rejects.toMatchObject({
      code: 'net_unknown_host',
    });
  });

  it('looks no address up that the URL names itself, and judges it', async () => {
    await expect(fetchIt(at('127.0.0.1'))).rejects.toMatchObject({ code: 'net_blocked' });
    expect(textOf(await fetchIt(at(publicAddress)))).toBe('hello');
    expect(seen).toHaveLength(1);
  });

  it('tries the next checked address where one can not be reached', async () => {
    const real = createNodeNetwork();
    const over = createLoopbackNetwork(
      { 'two.example': ['8.8.8.8', publicAddress] },
      {
        ...real,
        send: async (request) => {
          const isDead = request.route.kind === 'address' && request.route.address === '8.8.8.8';
          // Nothing listens on port 1.
          return await real.send(
            isDead
              ? { ...request, url: 'http://two.example:1/', route: { kind: 'address', address: '127.0.0.1' } }
              : request,
          );
        },
      },
    );
    expect(textOf(await fetchIt(at('two.example'), { over }))).toBe('hello');
    expect(over.sent).toHaveLength(2);
  });
});

describe('redirects', () => {
  it('are followed three times, each looked up and checked anew', async () => {
    redirectTo({ '/1': '/2', '/2': at('b.example', '/3'), '/3': `//c.example:${server.port}/4` });
    const response = await fetchIt(at('a.example', '/1'));
    expect(response.url).toBe(at('c.example', '/4'));
    expect(textOf(response)).toBe('arrived');
  });

  it('are not followed a fourth time', async () => {
    redirectTo({ '/1': '/2', '/2': '/3', '/3': '/4', '/4': '/5' });
    await expect(fetchIt(at('a.example', '/1'))).rejects.toThrow('Too many redirects (limit: 3)');
    expect(seen).toHaveLength(4);
  });

  it('that come back are a loop', async () => {
    redirectTo({ '/1': '/2', '/2': '/1#again' });
    await expect(fetchIt(at('a.example', '/1'))).rejects.toMatchObject({ code: 'net_redirect_loop' });
  });

  it.each([
    ['a private literal', 'http://127.0.0.1:1/'],
    ['a name of the own network', 'http://intranet/'],
    ['another scheme', 'file:///etc/passwd'],
    ['credentials', 'http://user:pw@b.example/'],
    ['a backslash', 'http:\\\\b.example/'],
    ['a private answer', 'http://priv.example/'],
    ['another spelling of loopback', 'http://0x7f.1/'],
    ['a closed port', 'http://b.example:25/'],
  ])('to %s are refused', async (_what, location) => {
    redirectTo({ '/1': location });
    const answers = { 'priv.example': ['10.1.2.3'] };
    await expect(fetchIt(at('a.example', '/1'), { answers })).rejects.toMatchObject({ code: 'net_blocked' });
    expect(seen).toHaveLength(1);
  });

  it('are refused where the second look-up of the same host is private', async () => {
    redirectTo({ '/1': '/2' });
    const answers = { 'rebind.example': [[publicAddress], ['127.0.0.1']] };
    await expect(fetchIt(at('rebind.example', '/1'), { answers })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    expect(seen).toHaveLength(1);
  });

  it('never lead from https to http', async () => {
    const { network } = createLoopbackNetwork();
    const moved = { status: 301, header: () => 'http://a.example/', body: noBody(), close: () => undefined };
    const over = { network: { ...network, send: () => Promise.resolve(moved) }, sent: [] };
    await expect(fetchIt('https://a.example/', { over })).rejects.toMatchObject({
      code: 'net_redirect_downgrade',
    });
  });

  it('keep all headers on the same origin, and on another only what says nothing of the user', async () => {
    redirectTo({ '/1': '/2', '/2': at('b.example', '/3'), '/3': at('a.example', '/4') });
    const headers = {
      Authorization: 'a',
      Cookie: 'c',
      'Proxy-Authorization': 'p',
      'X-Api-Key': 'k',
      Accept: 'text/html',
    };
    await fetchIt(at('a.example', '/1'), { headers });
    const [first, second, third, back] = seen.map((request) => request.headers);
    const secrets = { authorization: 'a', cookie: 'c', 'proxy-authorization': 'p', 'x-api-key': 'k' };
    expect(first).toMatchObject({ ...secrets, accept: 'text/html' });
    expect(second).toMatchObject(secrets);
    for (const later of [third, back]) {
      expect(Object.keys(later ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
    }
  });

  it('stop where the caller does not want them', async () => {
    redirectTo({ '/1': at('b.example', '/2') });
    const refused = fetchIt(at('a.example', '/1'), { mayFollow: (to) => to.hostname === 'a.example' });
    await expect(refused).rejects.toThrow(`redirects to another host: ${at('b.example', '/2')}`);
    expect(seen).toHaveLength(1);
  });

  it('without a target are answers', async () => {
    answer = (_request, response) => void response.writeHead(302).end('nowhere');
    expect(await fetchIt(at('a.example'))).toMatchObject({ status: 302 });
  });
});

describe('what comes back', () => {
  it.each([
    ['gzip', gzipSync('packed text')],
    ['GZIP', gzipSync('packed text')],
    ['deflate', deflateSync('packed text')],
    ['deflate', deflateRawSync('packed text')],
    ['br', brotliCompressSync('packed text')],
    ['identity', Buffer.from('packed text')],
  ])('is unpacked: %s', async (encoding, body) => {
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    const response = await fetchIt(at('a.example'));
    expect(textOf(response)).toBe('packed text');
    expect(response.isCut).toBe(false);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is not unpacked beyond the cap: a bomb of %s', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64_000_000));
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    const before = process.memoryUsage().arrayBuffers;
    const response = await fetchIt(at('a.example'), { maxBytes: 100_000 });
    expect(response).toMatchObject({ isCut: true, bytes: { length: 100_000 } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  it('is cut at the cap where it is not packed, and the connection ends', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (request, response) => {
        request.socket.on('close', () => resolve());
        response.writeHead(200);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        };
        response.on('drain', more);
        more();
      };
    });
    expect(await fetchIt(at('a.example'))).toMatchObject({ isCut: true, bytes: { length: 1_000 } });
    await closed;
  });

  it('is whole where it is exactly as long as the cap', async () => {
    answer = (_request, response) => void response.end('x'.repeat(1_000));
    expect(await fetchIt(at('a.example'))).toMatchObject({ isCut: false, bytes: { length: 1_000 } });
  });

  it('may come in chunks', async () => {
    answer = (_request, response) => {
      for (const piece of ['one ', 'two ', 'three']) response.write(piece);
      response.end();
    };
    expect(textOf(await fetchIt(at('a.example')))).toBe('one two three');
  });

  it('may be nothing, packed or not', async () => {
    answer = (_request, response) => void response.writeHead(204).end();
    expect(await fetchIt(at('a.example'))).toMatchObject({ status: 204, bytes: { length: 0 } });
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end();
    expect(await fetchIt(at('a.example'))).toMatchObject({ status: 200, bytes: { length: 0 } });
  });

  it.each(['gzip, gzip', 'zstd', 'compress'])('is refused where it is packed as %s', async (encoding) => {
    const body = gzipSync(gzipSync('x'));
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    await expect(fetchIt(at('a.example'))).rejects.toMatchObject({ code: 'net_encoding' });
  });

  it('is an error where it is packed, but broken', async () => {
    const body = gzipSync('x'.repeat(500)).subarray(0, 15);
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    await expect(fetchIt(at('a.example'))).rejects.toMatchObject({ code: 'net_encoding' });
  });

  it.each(['identity', 'gzip'])('is an error where the connection breaks (%s)', async (encoding) => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': '1000' });
      response.write(gzipSync('x'.repeat(500)).subarray(0, 15), () => request.socket.destroy());
    };
    await expect(fetchIt(at('a.example'))).rejects.toMatchObject({ code: 'net_failed' });
  });
});

describe('time', () => {
  it.each([
    ['before the headers', (_response: ServerResponse) => undefined],
    ['between two bytes', (response: ServerResponse) => void response.writeHead(200).write('x')],
  ])('ends a server that stops %s', async (_when, begin) => {
    const clock = createManualClock();
    const arrived = new Promise<void>((resolve) => {
      answer = (request, response) => {
        begin(response);
        request.socket.on('close', () => resolve());
        setImmediate(() => clock.advance(30_000));
      };
    });
    const { network } = createLoopbackNetwork();
    const options = { proxies: readProxySettings({}), allowProxy: false };
    const guardedFetch = createGuardedFetch({ network, clock, options: () => options });
    const request = { url: at('slow.example'), signal: new AbortController().signal, maxBytes: 1_000 };
    await expect(guardedFetch(request)).rejects.toMatchObject({ code: 'net_timeout' });
    await arrived;
  });

  it('counts from the first look-up to the last byte: drops of a slow server gain it nothing', async () => {
    const clock = createManualClock();
    answer = (request, response) => {
      response.writeHead(200);
      const drip = (): void => {
        if (request.socket.destroyed) return;
        clock.advance(9_000);
        response.write('x', () => setImmediate(drip));
      };
      drip();
    };
    const { network } = createLoopbackNetwork();
    const options = { proxies: readProxySettings({}), allowProxy: false };
    const guardedFetch = createGuardedFetch({ network, clock, options: () => options });
    const request = { url: at('slow.example'), signal: new AbortController().signal, maxBytes: 1_000 };
    await expect(guardedFetch(request)).rejects.toMatchObject({ code: 'net_timeout' });
    expect(clock.now()).toBeLessThan(60_000);
  });

  it('ends at once when the caller cancels, a look-up that hangs included', async () => {
    const controller = new AbortController();
    const { network } = createLoopbackNetwork();
    const hangs = { ...network, lookup: () => new Promise<never>(() => undefined) };
    const answered = fetchIt(at('a.example'), {
      over: { network: hangs, sent: [] },
      signal: controller.signal,
    });
    controller.abort();
    await expect(answered).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a proxy', () => {
  const env = { HTTP_PROXY: 'http://proxy.example:3128' };

  it('closes the way unless the user allows it, and the error names the variable and the setting', async () => {
    const over = createLoopbackNetwork();
    const refused = await fetchIt(at('a.example'), { env, over }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'net_proxy',
      message: expect.stringContaining('HTTP_PROXY') as string,
      hint: expect.stringContaining('tools.web.fetch.allowProxy') as string,
    });
    expect(over.sent).toEqual([]);
  });

  it('is no reason where NO_PROXY names the host', async () => {
    expect(textOf(await fetchIt(at('a.example'), { env: { ...env, NO_PROXY: '.example' } }))).toBe('hello');
  });

  it('is used where the user allows it; names and known addresses are judged all the same', async () => {
    const over = createLoopbackNetwork({ 'priv.example': ['10.0.0.1'], 'unknown.example': [] });
    const through = { env: { HTTP_PROXY: `http://u:p%40@127.0.0.1:${server.port}` }, allowProxy: true, over };
    expect(textOf(await fetchIt('http://unknown.example/x', through))).toBe('hello');
    expect(seen[0]?.url).toBe('http://unknown.example/x');
    expect(seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('u:p@').toString('base64')}`);
    for (const url of ['http://priv.example/', 'http://localhost/', 'http://127.0.0.1/'])
      await expect(fetchIt(url, through)).rejects.toMatchObject({ code: 'net_blocked' });
    expect(seen).toHaveLength(1);
  });
});

describe('an origin that the user named', () => {
  it('may lie on the own machine', async () => {
    const url = at('127.0.0.1', '/search');
    expect(textOf(await fetchIt(url, { ownOrigin: new URL(url).origin }))).toBe('hello');
  });

  it('may be a name of the own network, and needs no proxy', async () => {
    const wish = { answers: { searx: ['127.0.0.1'] }, env: { HTTP_PROXY: 'http://proxy.example:3128' } };
    expect(textOf(await fetchIt(at('searx'), { ...wish, ownOrigin: at('searx', '') }))).toBe('hello');
  });

  it('opens the way to no other: not by its address, not by a redirect', async () => {
    const ownOrigin = at('127.0.0.1', '');
    await expect(fetchIt('http://127.0.0.1:1/', { ownOrigin })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    redirectTo({ '/1': 'http://127.0.0.1:1/' });
    await expect(fetchIt(at('127.0.0.1', '/1'), { ownOrigin })).rejects.toMatchObject({
      code: 'net_blocked',
    });
    redirectTo({ '/1': 'http://localhost/' });
    await expect(fetchIt(at('a.example', '/1'), { ownOrigin })).rejects.toMatchObject({
      code: 'net_blocked',
    });
  });

  it('is never a metadata service', async () => {
    const answers = { searx: ['169.254.169.254'] };
    const refused = fetchIt('http://searx/', { ownOrigin: 'http://searx', answers });
    await expect(refused).rejects.toMatchObject({ code: 'net_blocked' });
  });
});

async function* noBody(): AsyncGenerator<Uint8Array> {
  // Nothing.
}
