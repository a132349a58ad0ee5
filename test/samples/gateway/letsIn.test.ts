import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openGateway } from '../../builders/openGateway.ts';
import { gatewayToken } from '../../builders/openTestRuntime.ts';

describe('who gets in', () => {
  it('tells anybody that it lives, and nothing else', async () => {
    await using gateway = await openGateway();
    const health = await gateway.ask('/healthz', { token: undefined });
    expect(health.status).toBe(200);
    expect(health.json()).toMatchObject({ ok: true, status: 'live' });
    expect(await gateway.ask('/healthz', { token: undefined, method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
    });
    expect((await gateway.ask('/', { token: undefined })).status).toBe(401);
    expect((await gateway.ask('/tools/invoke', { token: undefined, body: {} })).status).toBe(401);
    expect((await gateway.ask('/', { token: 'x'.repeat(50) })).status).toBe(401);
    expect((await gateway.ask('/nothing')).status).toBe(404);
  });

  it('refuses a name that is not its own: a page that resolves to this machine', async () => {
    await using gateway = await openGateway({ config: { gateway: { allowedHosts: ['Desk.example'] } } });
    const as = async (host: string): Promise<number> =>
      (await gateway.ask('/healthz', { headers: { host } })).status;
    expect(await as('evil.example')).toBe(421);
    expect(await as(`evil.example:${String(gateway.port)}`)).toBe(421);
    expect(await as(`127.0.0.1:${String(gateway.port)}.evil.example`)).toBe(421);
    expect(await as('localhost')).toBe(421);
    expect(await as(`localhost:${String(gateway.port)}`)).toBe(200);
    expect(await as('desk.example')).toBe(200);
    expect(await as('desk.example:8443')).toBe(200);
  });

  it('judges a malformed address as any other, and answers it as any other', async () => {
    await using gateway = await openGateway();
    const evil = await gateway.ask('/%ff', { headers: { host: 'evil.example' } });
    expect(evil.status).toBe(421);
    expect((await gateway.ask('/%ff', { token: undefined })).status).toBe(401);
    const malformed = await gateway.ask('/%ff');
    expect(malformed.status).toBe(400);
    expect(malformed.headers['x-content-type-options']).toBe('nosniff');
    expect(malformed.json()).toEqual({
      ok: false,
      error: { type: 'invalid_request_error', message: 'The address can not be read.' },
    });
  });

  it('refuses requests of pages, but those that it serves itself', async () => {
    await using gateway = await openGateway();
    const from = async (origin: string): Promise<number> =>
      (await gateway.ask('/healthz', { headers: { origin } })).status;
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await from('vscode-webview://abc')).toBe(403);
    expect(await from(gateway.url)).toBe(200);
    const preflight = await gateway.ask('/healthz', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('refuses what other pages embed, which uses up nothing of those who may ask', async () => {
    await using gateway = await openGateway({ gatewayLimits: { unknown: 1 } });
    const from = async (site: string, destination: string): Promise<number> =>
      (
        await gateway.ask('/healthz', {
          token: undefined,
          headers: { 'sec-fetch-site': site, 'sec-fetch-dest': destination },
        })
      ).status;
    for (let count = 0; count < 4; count += 1)
      expect([403, 429]).toContain(await from('cross-site', 'image'));
    expect(await from('cross-site', 'document')).toBe(200);
    expect(await from('same-origin', 'empty')).toBe(200);
  });

  it('keeps the log of requests free of queries', async () => {
    await using gateway = await openGateway();
    await gateway.ask('/callback?code=secret', { token: undefined });
    const { requests, onDidAnswer } = gateway.runtime.gateway;
    if (requests().length === 0) await new Promise<void>((resolve) => onDidAnswer(() => resolve()));
    expect(requests()).toMatchObject([{ method: 'GET', path: '/callback', status: 401 }]);
  });
});

describe('what a caller may use up', () => {
  it('refuses what is too large', async () => {
    await using gateway = await openGateway({ gatewayLimits: { bodyBytes: 1_000, headerBytes: 2_000 } });
    expect((await gateway.ask('/x', { body: 'x'.repeat(2_000) })).status).toBe(413);
    expect((await gateway.ask('/x', { headers: { 'x-long': 'x'.repeat(4_000) } })).status).toBe(431);
  });

  it('closes a connection that sends its request drop by drop', async () => {
    await using gateway = await openGateway({ gatewayLimits: { headersMs: 200, requestMs: 400 } });
    const name = `Host: 127.0.0.1:${String(gateway.port)}\r\n`;
    expect(await gateway.raw('GET / HTTP/1.1\r\n', name)).toMatch(/^HTTP\/1.1 408/u);
    expect(await gateway.raw(`POST / HTTP/1.1\r\n${name}Content-Length: 10\r\n\r\nx`)).toMatch(/401|408/u);
  });

  it('reads no body of a request that it refuses', async () => {
    await using gateway = await openGateway({ gatewayLimits: { unknown: 2 } });
    const own = `127.0.0.1:${String(gateway.port)}`;
    const posted = async (path: string, ...lines: readonly string[]): Promise<string> => {
      const text = await gateway.raw([`POST ${path} HTTP/1.1`, ...lines].join('\r\n'));
      expect(text).toMatch(/^connection: close\r$/imu);
      expect(text.match(/HTTP\/1\.1 /gu)).toHaveLength(1);
      return text.slice(9, 12);
    };
    const sized = 'Content-Length: 10\r\n\r\nx';
    const chunked = 'Transfer-Encoding: chunked\r\n\r\na\r\nx';
    expect(await posted('/x', 'Host: evil.example', sized)).toBe('421');
    expect(await posted('/x', `Host: ${own}`, 'Origin: https://evil.example', chunked)).toBe('403');
    expect(await posted('/x', `Host: ${own}`, chunked)).toBe('401');
    const token = `Authorization: Bearer ${gatewayToken}`;
    expect(await posted('/%ff', `Host: ${own}`, token, sized)).toBe('400');
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await posted('/x', `Host: ${own}`, sized));
    expect(answers).toContain('429');
  });

  it('has only so many callers at a time', async () => {
    await using gateway = await openGateway({ gatewayLimits: { connections: 2 } });
    const open = async (): Promise<Socket> => {
      const socket = connect(gateway.port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const [first, second, third] = [await open(), await open(), await open()];
    await once(third, 'close');
    first.destroy();
    second.destroy();
  });

  it('has only so many requests of strangers in a second', async () => {
    await using gateway = await openGateway({ gatewayLimits: { unknown: 1 } });
    const answers = [];
    for (let count = 0; count < 4; count += 1)
      answers.push((await gateway.ask('/x', { token: `wrong-${String(count)}` })).status);
    expect(answers).toEqual([401, 401, 429, 429]);
    expect((await gateway.ask('/x')).status).toBe(404);
  });

  it('answers what is no HTTP as it answers all else, at the rate of strangers, and lives', async () => {
    await using gateway = await openGateway({ gatewayLimits: { unknown: 1 } });
    const own = `Host: 127.0.0.1:${String(gateway.port)}\r\n\r\n`;
    for (const bytes of ['\u0000\u0001garbage\r\n\r\n', `GET /\u00c3 HTTP/1.1\r\n${own}`]) {
      const text = await gateway.raw(bytes);
      expect(text).toMatch(/^HTTP\/1.1 400/u);
      expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
        ok: false,
        error: { type: 'invalid_request_error', message: 'The request can not be read.' },
      });
    }
    const more = [];
    for (let count = 0; count < 4; count += 1) more.push((await gateway.raw('garbage\r\n\r\n')).slice(9, 12));
    expect(more).toContain('429');
    expect((await gateway.ask('/healthz')).status).toBe(200);
    const { requests } = gateway.runtime.gateway;
    await expect.poll(() => requests().filter(({ path }) => path === '-').length).toBe(6);
  });

  it('judges a request before it says that its body may come', async () => {
    await using gateway = await openGateway();
    const own = `127.0.0.1:${String(gateway.port)}`;
    const expecting = async (what: string, ...lines: readonly string[]): Promise<readonly string[]> => {
      const head = [
        'POST /x HTTP/1.1',
        `Expect: ${what}`,
        'Content-Length: 1',
        'Connection: close',
        ...lines,
      ];
      const text = await gateway.raw(`${head.join('\r\n')}\r\n\r\n`, 'x');
      return [...text.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status = '']) => status);
    };
    const token = `Authorization: Bearer ${gatewayToken}`;
    for (const what of ['100-continue', 'foo']) {
      expect(await expecting(what, 'Host: evil.example', token)).toEqual(['421']);
      expect(await expecting(what, `Host: ${own}`)).toEqual(['401']);
    }
    expect(await expecting('foo', `Host: ${own}`, token)).toEqual(['417']);
    expect(await expecting('100-continue', `Host: ${own}`, token)).toEqual(['100', '404']);
  });

  it('holds no connection of a WebSocket that it refused', async () => {
    await using gateway = await openGateway({ gatewayLimits: { connections: 1 } });
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.resume();
    const lines = ['GET /ws HTTP/1.1', 'Host: evil.example', 'Connection: Upgrade', 'Upgrade: websocket'];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await once(socket, 'end');
    const status = (): Promise<number> =>
      gateway.ask('/healthz').then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status, { timeout: 10_000 }).toBe(200);
    socket.destroy();
  });
});
