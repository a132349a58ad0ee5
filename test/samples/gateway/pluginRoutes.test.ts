import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openGateway } from '../../builders/openGateway.ts';
import { gatewayToken } from '../../builders/openTestRuntime.ts';

/** As third parties write it: a callback that checks its caller by itself, and pages behind the gateway's token. */
const plugin = `module.exports = (api) => {
  let calls = 0;
  api.registerHttpRoute({
    path: '/hooks/callback',
    auth: 'plugin',
    match: 'exact',
    handler: async (req, res) => {
      const url = new URL(req.url, 'http://localhost');
      if (url.searchParams.get('state') !== 'mine') { res.statusCode = 403; res.end('no'); return true; }
      const chunks = [];
      for await (const chunk of req) chunks.push(chunk);
      calls += 1;
      res.setHeader('Content-Type', 'text/plain');
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.end(req.method + ' ' + req.headers.authorization + ' ' + Buffer.concat(chunks) + ' ' + calls);
      return true;
    },
  });
  api.registerHttpRoute({ path: 'pages/', match: 'prefix', auth: 'gateway', handler(req, res) {
    if (req.url.endsWith('/pass')) return false;
    if (req.url.endsWith('/fail')) throw new Error('no such page');
    res.writeHead(200, { 'x-page': req.url });
    res.write('one ');
    setImmediate(() => res.end('two ' + req.headers.authorization));
  } });
  api.registerHttpHandler((req, res) => {
    if (!req.url.startsWith('/caught')) return false;
    res.end('caught');
    return true;
  });
};`;

it('lets anybody call a route that checks its callers, and nobody else the others', async () => {
  await using gateway = await openGateway({ global: { hooks: plugin } });
  const called = await gateway.ask('/hooks/callback?state=mine', {
    token: undefined,
    body: '{"x":1}',
    headers: { authorization: 'Bearer of-the-service' },
  });
  expect(called).toMatchObject({ status: 200, text: 'POST Bearer of-the-service {"x":1} 1' });
  expect(called.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect((await gateway.ask('/hooks/callback?state=theirs', { token: undefined })).status).toBe(403);
  expect((await gateway.ask('/hooks/callback/below', { token: undefined })).status).toBe(401);
  expect((await gateway.ask('/hooks/callback/../../pages/a', { token: undefined })).status).toBe(401);
  expect((await gateway.ask('/hooks/%63allback%2f..', { token: undefined })).status).toBe(401);
  expect((await gateway.ask('/pages/a', { token: undefined })).status).toBe(401);
});

it('serves prefixes and handlers to callers with the token, which plugins never see', async () => {
  await using gateway = await openGateway({ global: { hooks: plugin } });
  expect(await gateway.ask('/pages/a?b')).toMatchObject({ status: 200, text: 'one two undefined' });
  expect((await gateway.ask('/pagesa')).status).toBe(404);
  expect((await gateway.ask('/pages/pass')).status).toBe(404);
  expect(await gateway.ask('/caught')).toMatchObject({ status: 200, text: 'caught' });
  expect((await gateway.ask('/other')).status).toBe(404);
  expect(await gateway.ask('/pages/fail')).toMatchObject({
    status: 500,
    text: expect.not.stringContaining('no such page') as string,
  });
  expect(gateway.runtime.workspace.diagnostics()).toEqual(
    expect.arrayContaining([expect.objectContaining({ code: 'plugin_route_failed', pluginId: 'hooks' })]),
  );
});

it('uses no connection again that a plugin has had, which could write there before a later answer', async () => {
  const looks = `module.exports = (api) => {
    const seen = new Set();
    api.registerHttpRoute({ path: '/seen', auth: 'gateway', handler({ socket }, res) {
      // As handlers of streams write it.
      res.writeHead(200, { connection: 'keep-alive' });
      res.end(String(seen.has(socket)));
      seen.add(socket);
      return true;
    } });
  };`;
  await using gateway = await openGateway({ global: { looks } });
  for (const path of ['/seen', '/v1/models', '/seen', '/seen'])
    expect((await gateway.ask(path)).text, path).not.toBe('true');
});

it('serves nothing of a plugin that is gone', async () => {
  await using gateway = await openGateway({ global: { hooks: plugin } });
  expect((await gateway.ask('/pages/a')).status).toBe(200);
  await gateway.runtime.plugins.setEnabled('hooks', false);
  expect((await gateway.ask('/pages/a')).status).toBe(404);
  expect((await gateway.ask('/hooks/callback?state=mine', { token: undefined })).status).toBe(401);
  await gateway.runtime.plugins.setEnabled('hooks', true);
  await gateway.runtime.gateway.sync();
  expect((await gateway.ask('/hooks/callback?state=mine', { token: undefined })).status).toBe(200);
});

it('lives on where a request can not be handed on to a plugin', async () => {
  await using gateway = await openGateway({ global: { hooks: plugin } });
  const { port, host } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  // Node's own client refuses to hand this header on where the body is not in pieces.
  socket.write(`GET /hooks/callback?state=mine HTTP/1.1\r\nHost: ${host}\r\nTrailer: x\r\n\r\n`);
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /u);
  socket.destroy();
  expect((await gateway.ask('/hooks/callback?state=mine', { token: undefined })).status).toBe(200);
  expect(gateway.runtime.gateway.status()).toMatchObject({ state: 'running' });
});

it('breaks the connection to a plugin when the caller leaves', async () => {
  const slow = `module.exports = (api) => api.registerHttpRoute({ path: '/slow', auth: 'plugin', handler(req, res) {
    res.on('close', () => mark('left'));
    res.write('begun');
  } });`;
  await using gateway = await openGateway({ global: { slow } });
  const stop = new AbortController();
  const answer = await fetch(`${gateway.url}/slow`, { signal: stop.signal });
  expect(answer.status).toBe(200);
  stop.abort();
  await expect.poll(() => gateway.marks).toEqual(['left']);
});

it("serves the route of the user's own plugin where a workspace's has the same path", async () => {
  const serves = (text: string): string =>
    `module.exports = (api) => api.registerHttpRoute({ path: '/same', auth: 'gateway', handler: (req, res) => { res.end('${text}'); return true; } });`;
  await using gateway = await openGateway({
    global: { own: serves('own') },
    plugins: { aaa: serves('workspace') },
  });
  expect((await gateway.ask('/same')).text).toBe('own');
});

/** As third parties write it: a socket of their own, by the library that most of them use. */
// A plugin may import nothing from outside of its folder.
Object.assign(globalThis, { WebSocketServer });
const talk = `module.exports = (api) => {
  const server = new WebSocketServer({ noServer: true });
  const route = (auth) => ({
    path: '/talk/' + auth,
    auth,
    handler: (req, res) => { res.end('plain'); return true; },
    handleUpgrade(req, socket, head) {
      if (req.url.endsWith('?fail')) throw new Error('no such room');
      if (req.url.endsWith('?pass')) return false;
      server.handleUpgrade(req, socket, head, (peer) => {
        peer.on('message', (data) => peer.send(data + ' ' + req.headers.authorization));
        peer.on('close', () => mark('closed'));
      });
      return true;
    },
  });
  api.registerHttpRoute(route('plugin'));
  api.registerHttpRoute(route('gateway'));
  api.registerHttpRoute({ path: '/plain', auth: 'plugin', handler: (req, res) => { res.end('plain'); return true; } });
};`;
const withToken = { authorization: `Bearer ${gatewayToken}` };

it('hands requests for a WebSocket to the routes that take them, behind the same checks', async () => {
  await using gateway = await openGateway({ global: { talk } });
  const at = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Peer> =>
    openPeer(`ws://127.0.0.1:${String(gateway.port)}${path}`, headers);
  using open = await at('/talk/plugin', { authorization: 'Bearer of-the-service' });
  expect(await open.say('hello')).toBe('hello Bearer of-the-service');
  const long = 'x'.repeat(200_000);
  expect(await open.say(long)).toBe(`${long} Bearer of-the-service`);
  using guarded = await at('/talk/gateway', withToken);
  expect(await guarded.say('hello')).toBe('hello undefined');

  await expect(at('/talk/gateway')).rejects.toThrow('401');
  await expect(at('/talk/plugin/below')).rejects.toThrow('401');
  await expect(at('/talk/plugin', { origin: 'http://evil.example' })).rejects.toThrow('403');
  await expect(at('/talk/plugin', { host: `evil.example:${String(gateway.port)}` })).rejects.toThrow('421');
  await expect(at('/plain', withToken)).rejects.toThrow('404');
  await expect(at('/talk/gateway?pass', withToken)).rejects.toThrow('404');
  await expect(at('/talk/gateway?fail', withToken)).rejects.toThrow('500');
  expect(gateway.runtime.workspace.diagnostics()).toContainEqual(
    expect.objectContaining({ code: 'plugin_route_failed', pluginId: 'talk' }),
  );
});

it('ends what a plugin had taken over when it goes, and when the caller leaves', async () => {
  await using gateway = await openGateway({ global: { talk } });
  const address = `ws://127.0.0.1:${String(gateway.port)}/talk/plugin`;
  const leaving = await openPeer(address);
  leaving[Symbol.dispose]();
  await expect.poll(() => gateway.marks).toEqual(['closed']);
  using staying = await openPeer(address);
  await gateway.runtime.plugins.setEnabled('talk', false);
  await staying.closed;
});

it('answers in the place of a route that never begins its answer, and says whose it is', async () => {
  const silent = `module.exports = (api) => {
    api.registerHttpRoute({ path: '/silent', auth: 'plugin', handler: () => true, handleUpgrade: () => true });
    api.registerHttpRoute({ path: '/slow', auth: 'plugin', handler(req, res) { res.write('begun'); setTimeout(() => res.end(), 900); } });
  };`;
  await using gateway = await openGateway({ global: { silent }, gatewayLimits: { firstByteMs: 500 } });
  expect(await gateway.ask('/silent')).toMatchObject({
    status: 504,
    text: expect.stringContaining('Plugin silent did not answer.') as string,
  });
  await expect(openPeer(`ws://127.0.0.1:${String(gateway.port)}/silent`)).rejects.toThrow('504');
  // One that has begun may take its time.
  expect(await gateway.ask('/slow')).toMatchObject({ status: 200, text: 'begun' });
  const found = gateway.runtime.workspace.diagnostics().filter(({ code }) => code === 'plugin_route_failed');
  expect(found.map(({ pluginId, message }) => `${pluginId ?? ''}: ${message}`)).toEqual([
    'silent: http route "/silent" from silent failed: it did not begin to answer within 0.5 s',
  ]);
});

interface Peer extends Disposable {
  /** What comes back. */
  say(text: string): Promise<string>;
  readonly closed: Promise<void>;
}

/** Rejects with the status where the server refuses. */
async function openPeer(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Peer> {
  const socket = new WebSocket(address, { headers });
  // Unlike `once`, it is not rejected by an error.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'open');
  return {
    closed,
    async say(text) {
      const answered = once(socket, 'message') as Promise<[Buffer]>;
      socket.send(text);
      return (await answered)[0].toString('utf8');
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}
