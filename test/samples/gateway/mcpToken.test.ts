import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { environmentMcpToken, mcpClientSetup, storedMcpToken } from '../../../src/gateway/gatewayToken.ts';
import { openGateway, type TestGateway } from '../../builders/openGateway.ts';
import { openGatewayClient } from '../../builders/openGatewayClient.ts';
import { gatewayToken } from '../../builders/openTestRuntime.ts';

const config = { mcp: { serve: { http: true, tools: ['write'] } } };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function statusOf(
  gateway: TestGateway,
  [method, path]: readonly [string, string],
  token: string | undefined,
): Promise<number> {
  const body = method === 'POST' ? { body: list } : {};
  const headers = { accept: 'application/json, text/event-stream' };
  return (await gateway.ask(path, { method, token, headers, ...body })).status;
}

/** What each of the gateway's own routes says to the gateway's token; none of them may say anything to that of MCP clients. */
const ownRoutes = [
  ['POST', '/tools/invoke'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
  ['GET', '/v1/models'],
  ['POST', '/page/pair'],
  ['GET', '/page/browsers'],
  ['POST', '/page/revoke'],
  ['GET', '/nothing'],
  ['POST', '/mcp/x'],
  ['POST', '//mcp'],
  ['POST', '/x/../mcp'],
  ['POST', '/v1/models/%2e%2e/%2e%2e/mcp'],
] as const;

it('takes at /mcp the token of MCP clients, and not that of the gateway', async () => {
  await using gateway = await openGateway({ config });
  const token = await gateway.runtime.gateway.mcp.token();
  expect(token).toMatch(/^[\w-]{43}$/u);
  for (const path of ['/mcp', '/mcp/', '/mcp?x=1', '/%6dcp']) {
    expect(await statusOf(gateway, ['POST', path], token)).toBe(200);
    expect(await statusOf(gateway, ['POST', path], gatewayToken)).toBe(403);
    expect(await statusOf(gateway, ['POST', path], undefined)).toBe(401);
    expect(await statusOf(gateway, ['POST', path], `${token}x`)).toBe(401);
  }
  expect((await gateway.ask('/mcp', { body: list })).text).toContain('Copy MCP Client Setup');
});

it('takes the token of MCP clients nowhere else', async () => {
  await using gateway = await openGateway({ config });
  const token = await gateway.runtime.gateway.mcp.token();
  for (const route of ownRoutes) {
    expect([route, await statusOf(gateway, route, token)]).toEqual([route, 403]);
    expect([401, 403]).not.toContain(await statusOf(gateway, route, gatewayToken));
  }
});

it('lets no MCP client speak over WebSocket, by header or by frame', async () => {
  await using gateway = await openGateway({ config });
  const token = await gateway.runtime.gateway.mcp.token();
  using byFrame = await openGatewayClient(gateway.port, { token });
  expect(byFrame.hello).toMatchObject({ ok: false });
  using byHeader = await openGatewayClient(gateway.port, {
    auth: {},
    headers: { authorization: `Bearer ${token}` },
  });
  expect(byHeader.hello).toMatchObject({ ok: false });
  const socket = new WebSocket(`ws://127.0.0.1:${String(gateway.port)}/mcp`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toContain('404');
});

it('shows the token of MCP clients to no plugin, and lets none answer at /mcp', async () => {
  const nosy = `module.exports = (api) => {
    const seen = (request, response) => {
      mark(request.url + ' ' + String(request.headers.authorization));
      response.end('mine');
      return true;
    };
    api.registerHttpHandler(seen);
    api.registerHttpRoute({ path: '/open', auth: 'plugin', match: 'prefix', handler: seen });
    api.registerHttpRoute({ path: '/shut', auth: 'gateway', match: 'exact', handler: seen });
  };`;
  await using gateway = await openGateway({ config, global: { nosy } });
  const token = await gateway.runtime.gateway.mcp.token();
  expect(await statusOf(gateway, ['PUT', '/mcp'], token)).toBe(404);
  expect(await statusOf(gateway, ['GET', '/shut'], token)).toBe(403);
  expect(gateway.marks).toEqual([]);
  expect(await statusOf(gateway, ['GET', '/open/a'], token)).toBe(200);
  expect(gateway.marks).toEqual(['/open/a undefined']);
});

it('lets nobody in at /mcp before the user has asked for a token, and after it was taken back', async () => {
  await using gateway = await openGateway({ config, files: { 'a.md': 'old\n' } });
  const { mcp } = gateway.runtime.gateway;
  for (const guess of ['', 'undefined', 'x'.repeat(43)])
    expect(await statusOf(gateway, ['POST', '/mcp'], guess)).toBe(401);
  const first = await mcp.token();
  expect(await mcp.token()).toBe(first);
  expect(await statusOf(gateway, ['POST', '/mcp'], first)).toBe(200);
  // What is under way ends, and its question with it.
  const call = { method: 'tools/call', params: { name: 'write', arguments: { path: 'a.md', content: 'x' } } };
  const { approvals } = gateway.runtime;
  const headers = { accept: 'application/json, text/event-stream' };
  const writing = gateway
    .ask('/mcp', { token: first, headers, body: { ...list, ...call } })
    .catch(() => 'cut off');
  await expect.poll(() => approvals.pending().length).toBe(1);
  await mcp.token();
  expect(approvals.pending()).toHaveLength(1);
  await mcp.revoke();
  await expect.poll(() => approvals.pending().length).toBe(0);
  await writing;
  expect(await statusOf(gateway, ['POST', '/mcp'], first)).toBe(401);
  const second = await mcp.token();
  expect(second).not.toBe(first);
  expect(await statusOf(gateway, ['POST', '/mcp'], second)).toBe(200);
  expect(await statusOf(gateway, ['POST', '/mcp'], first)).toBe(401);
});

it('hears of a token that another window has taken back', async () => {
  const secrets = createInMemorySecrets();
  await using gateway = await openGateway({ config, adjustHost: (host) => ({ ...host, secrets }) });
  const token = await storedMcpToken(secrets).make();
  await expect.poll(() => statusOf(gateway, ['POST', '/mcp'], token)).toBe(200);
  await storedMcpToken(secrets).revoke();
  await expect.poll(() => statusOf(gateway, ['POST', '/mcp'], token)).toBe(401);
});

it('takes no token of the environment that is short, or that opens the whole gateway', async () => {
  const long = 'm'.repeat(43);
  const tokenIn = (env: Record<string, string>): Promise<string | undefined> =>
    environmentMcpToken(env).current();
  expect(await tokenIn({})).toBeUndefined();
  expect(await tokenIn({ PINCER_MCP_TOKEN: long, PINCER_GATEWAY_TOKEN: `${long}x` })).toBe(long);
  await expect(tokenIn({ PINCER_MCP_TOKEN: 'short' })).rejects.toMatchObject({ code: 'gateway_token_weak' });
  await expect(tokenIn({ PINCER_MCP_TOKEN: long, PINCER_GATEWAY_TOKEN: long })).rejects.toMatchObject({
    code: 'gateway_tokens_equal',
  });
  await expect(environmentMcpToken({}).make()).rejects.toMatchObject({ code: 'gateway_mcp_token_missing' });
});

it('copies what a client reads: the address and the header', () => {
  expect(JSON.parse(mcpClientSetup(18_789, 'secret'))).toEqual({
    mcpServers: {
      pincer: {
        type: 'http',
        url: 'http://127.0.0.1:18789/mcp',
        headers: { Authorization: 'Bearer secret' },
      },
    },
  });
});
