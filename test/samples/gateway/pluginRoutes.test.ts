import { expect, it } from 'vitest';
import { openGateway } from '../../builders/openGateway.ts';

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
