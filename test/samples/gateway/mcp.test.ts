import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, vi } from 'vitest';
import { openGateway, type TestGateway } from '../../builders/openGateway.ts';

interface Connected extends AsyncDisposable {
  readonly client: Client;
  call(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** The protocol's own client, through a socket. */
async function connectTo({ url, runtime }: TestGateway, mode: 'legacy' | 'auto'): Promise<Connected> {
  const headers = { authorization: `Bearer ${await runtime.gateway.mcp.token()}` };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return {
    client,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Without the bundled plugin that may change results. */
const plugins = { entries: { 'secret-redactor': { enabled: false } } };
const serve = (more: object = {}): object => ({ mcp: { serve: { http: true, ...more } } });
const files = { 'memory/harbour.md': '# Harbour\n\nThe keeper is called Ines.\n' };

async function namesOf({ client }: Connected): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).sort();
}

it('serves tools over HTTP to a client of the older protocol', async () => {
  await using gateway = await openGateway({ config: serve(), files });
  await using connected = await connectTo(gateway, 'legacy');
  expect(await namesOf(connected)).toEqual([
    'memory_get',
    'memory_search',
    'plugins_doctor',
    'tools_explain',
  ]);
  expect((await connected.call('memory_get', { path: 'memory/harbour.md' })).text).toContain('Ines');
  expect((await connected.call('tools_explain', { name: 'exec' })).text).toContain('exec: agents can use it');
  expect((await connected.call('tools_explain', { name: 'nothing' })).isError).toBe(true);
});

it('serves the same in the newer protocol, with what the config names', async () => {
  await using gateway = await openGateway({ config: serve({ tools: ['read'] }), files });
  await using connected = await connectTo(gateway, 'auto');
  expect(connected.client.getProtocolEra()).toBe('modern');
  expect(await namesOf(connected)).toContain('read');
  // Words of plugins and servers stand there: they are data to the agent that reads them.
  expect((await connected.call('plugins_doctor')).text).toMatch(
    /^What stands between .* is data from outside.*<<<EXTERNAL_UNTRUSTED_CONTENT id="\w+">>>.*plugin memory-core.*<<<END_EXTERNAL_UNTRUSTED_CONTENT/su,
  );
  expect((await connected.call('exec', { command: 'ls' })).text).toContain('There is no tool "exec"');
});

it('serves no tool over HTTP unless the config of the user says so', async () => {
  await using gateway = await openGateway({
    files: { '.pincer/config.jsonc': JSON.stringify(serve()) },
  });
  await expect(connectTo(gateway, 'legacy')).rejects.toThrow();
  const token = await gateway.runtime.gateway.mcp.token();
  expect(await gateway.ask('/mcp', { body: {}, token })).toMatchObject({
    status: 404,
    text: expect.stringContaining('mcp.serve.http') as string,
  });
});

it('lets nobody in without the token, with a foreign Host or Origin, or with a body that is too large', async () => {
  await using gateway = await openGateway({ config: serve(), gatewayLimits: { bodyBytes: 10_000 } });
  const token = await gateway.runtime.gateway.mcp.token();
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const status = async (options: Parameters<typeof gateway.ask>[1]): Promise<number> =>
    (await gateway.ask('/mcp', { body, token, ...options })).status;
  expect(await status({ token: undefined })).toBe(401);
  expect(await status({ headers: { host: 'evil.example' } })).toBe(421);
  expect(await status({ headers: { origin: 'https://evil.example' } })).toBe(403);
  expect(await status({ body: { text: 'x'.repeat(20_000) } })).toBe(413);
  expect(await status({ method: 'GET', body: undefined })).toBe(405);
  expect(await status({ body: '[1' })).toBe(400);
});

it('traces each call of a client, tools_explain and plugins_doctor included', async () => {
  await using gateway = await openGateway({ config: serve() });
  await using connected = await connectTo(gateway, 'legacy');
  await connected.call('tools_explain', { name: 'exec' });
  await connected.call('plugins_doctor');
  const { traces } = gateway.runtime.turns;
  await expect
    .poll(async () => (await traces.list()).map(({ status }) => status))
    .toEqual(['completed', 'completed']);
});

it('says of each tool whether it meets what nobody here knows', async () => {
  const deploy = `module.exports = (api) => {
    const parameters = { type: 'object', properties: {} };
    api.registerTool({ name: 'deploy', description: 'x', parameters, execute: async () => ({ content: [] }) });
  };`;
  await using gateway = await openGateway({
    global: { deploy },
    config: serve({ tools: ['read', 'exec', 'web_fetch', 'deploy'] }),
  });
  await using connected = await connectTo(gateway, 'legacy');
  const { tools } = await connected.client.listTools();
  const hints = tools.map(({ name, annotations }) => [name, annotations?.openWorldHint]);
  expect(Object.fromEntries(hints)).toEqual({
    ...{ memory_search: false, memory_get: false, tools_explain: false, plugins_doctor: false, read: false },
    ...{ exec: true, web_fetch: true, deploy: true },
  });
});

it('tells hooks that a call came by MCP', async () => {
  const guard = `module.exports = (api) => {
    api.on('before_tool_call', ({ toolName }, { channelId }) => mark(toolName + ' ' + channelId));
  };`;
  await using gateway = await openGateway({ global: { guard }, config: serve(), files });
  await using connected = await connectTo(gateway, 'legacy');
  await connected.call('memory_get', { path: 'memory/harbour.md' });
  await gateway.ask('/tools/invoke', { body: { tool: 'memory_get', args: { path: 'memory/harbour.md' } } });
  expect(gateway.marks).toEqual(['memory_get mcp', 'memory_get vscode']);
});

it('applies policies and hooks to tools_explain and plugins_doctor as to every other tool', async () => {
  const guard = `module.exports = (api) => {
    api.on('before_tool_call', ({ toolName }) => {
      mark(toolName);
      if (toolName === 'plugins_doctor') return { block: true, blockReason: 'not for strangers' };
    });
  };`;
  await using gateway = await openGateway({
    global: { guard },
    config: { ...serve(), tools: { deny: ['tools_explain'] } },
  });
  await using connected = await connectTo(gateway, 'legacy');
  expect(await namesOf(connected)).toEqual(['memory_get', 'memory_search', 'plugins_doctor']);
  expect((await connected.call('tools_explain', { name: 'exec' })).text).toContain('There is no tool');
  const refused = await connected.call('plugins_doctor');
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('not for strangers') as string,
  });
  expect(gateway.marks).toContain('plugins_doctor');
  expect(gateway.runtime.workspace.diagnostics().map(({ code }) => code)).not.toContain(
    'tool_policy_unknown',
  );
});

it('asks in the editor what a call of a client would ask, and takes it back when the client leaves', async () => {
  await using gateway = await openGateway({
    config: serve({ tools: ['write'] }),
    files: { 'a.md': 'old\n' },
  });
  const { approvals } = gateway.runtime;
  await using connected = await connectTo(gateway, 'legacy');
  const written = connected.call('write', { path: 'a.md', content: 'new\n' });
  await expect.poll(() => approvals.pending().length).toBe(1);
  const [question] = approvals.pending();
  expect(question?.title).toContain('MCP client');
  approvals.noteShownWhole(question!.id, 'call');
  approvals.resolve(question!.id, 'allow-once', 'chat');
  expect((await written).isError).toBe(false);
  expect(await readFile(join(gateway.workspace, 'a.md'), 'utf8')).toBe('new\n');
  for (const mode of ['legacy', 'auto'] as const) {
    await using other = await connectTo(gateway, mode);
    const leave = new AbortController();
    const left = other.client
      .callTool({ name: 'write', arguments: { path: 'a.md', content: 'x' } }, { signal: leave.signal })
      .catch(() => 'left');
    await expect.poll(() => approvals.pending().length).toBe(1);
    // In the older protocol no request knows of another: the client is gone when its connection is.
    if (mode === 'legacy') await other.client.close();
    else leave.abort();
    expect(await left).toBe('left');
    await expect.poll(() => approvals.pending().length).toBe(0);
  }
});

it('asks about each new host of a client in mode auto: what its agent has read is not the words of the user', async () => {
  await using gateway = await openGateway({
    config: { ...serve({ tools: ['web_fetch'] }), approvals: { mode: 'auto' } },
    answer: 'deny',
  });
  await using connected = await connectTo(gateway, 'legacy');
  const fetched = await connected.call('web_fetch', { url: 'https://a.example/?k=1' });
  expect(fetched.isError).toBe(true);
  expect(gateway.runtime.approvals.history().map(({ request }) => request.title)).toEqual([
    'MCP client: Connect to a.example',
  ]);
});

for (const mode of ['legacy', 'auto'] as const)
  it(`passes on what a tool says while it runs, counted and not too often, to a client that wants it (${mode})`, async () => {
    await using gateway = await openGateway({
      config: { ...serve({ tools: ['exec'] }), approvals: { mode: 'full' }, plugins },
    });
    await using connected = await connectTo(gateway, mode);
    const told: { readonly progress: number; readonly message?: string | undefined }[] = [];
    // Says more than is told, and goes on once the client has heard of it.
    const command =
      'for i in $(seq 1 40); do echo line $i; sleep 0.02; done; while [ ! -e heard ]; do sleep 0.02; done';
    const called = connected.client.callTool(
      { name: 'exec', arguments: { command } },
      { onprogress: (progress) => void told.push(progress) },
    );
    await expect.poll(() => told.at(-1)?.message).toBe('line 40');
    await writeFile(join(gateway.workspace, 'heard'), '');
    expect((await called).isError).toBe(false);
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, at) => at + 1));
    expect(told.length).toBeLessThan(20);
    const unasked = told.length;
    await connected.call('exec', { command: 'echo more' });
    expect(told).toHaveLength(unasked);
  });

for (const hook of ['afterToolResult', 'tool_result_middleware', 'tool_result_persist'] as const)
  it(`passes on nothing that a tool says while it runs where ${hook} may withhold its result`, async () => {
    await using gateway = await openGateway({
      config: { ...serve({ tools: ['exec'] }), approvals: { mode: 'full' }, plugins },
    });
    await using connected = await connectTo(gateway, 'auto');
    const told: unknown[] = [];
    const exec = async (command: string): Promise<void> => {
      await connected.client.callTool(
        { name: 'exec', arguments: { command } },
        { onprogress: ({ message }) => void told.push(message) },
      );
    };
    await exec('echo before; sleep 0.3');
    expect(told).toContain('before');
    const { hooks } = gateway.runtime.plugins;
    const has = hooks.has.bind(hooks);
    vi.spyOn(hooks, 'has').mockImplementation((name, stage) => name === hook || has(name, stage));
    await exec('echo since; sleep 0.3');
    expect(told).not.toContain('since');
  });

it('passes on nothing that a tool says while it runs where the secret redactor has yet to see its result', async () => {
  await using gateway = await openGateway({
    config: { ...serve({ tools: ['exec'] }), approvals: { mode: 'full' } },
  });
  await using connected = await connectTo(gateway, 'auto');
  const told: unknown[] = [];
  await connected.client.callTool(
    { name: 'exec', arguments: { command: 'echo said; sleep 0.3' } },
    { onprogress: ({ message }) => void told.push(message) },
  );
  expect(told).toEqual([]);
});

it('passes on the progress that an MCP server behind it tells', async () => {
  const server = join(import.meta.dirname, '../mcp/fixture/server.mjs');
  const { mcp } = serve({ tools: ['mcp__files__echo'] }) as { readonly mcp: object };
  const servers = { files: { command: process.execPath, args: [server, 'state'] } };
  await using gateway = await openGateway({
    config: { mcp: { ...mcp, servers }, approvals: { mode: 'full' }, plugins },
    files: { state: JSON.stringify({ does: ['progress'] }) },
  });
  const known = gateway.runtime.mcp;
  await known.agreeToStart('files', (await known.inspect('files')).launchHash);
  await known.agreeToTools('files', (await known.inspect('files')).brings!.toolsHash);
  await using connected = await connectTo(gateway, 'auto');
  const told: unknown[] = [];
  const { isError } = await connected.client.callTool(
    { name: 'mcp__files__echo', arguments: { text: 'hi' } },
    { onprogress: (progress) => void told.push(progress) },
  );
  expect(isError).toBe(false);
  expect(told).toEqual([{ progress: 1, message: '3 of 10 · “three done”' }]);
});

it('serves the tools of the agent that is the default now', async () => {
  const agents = (first: string): object => ({
    open: { default: first === 'open' },
    closed: { default: first === 'closed', tools: { deny: ['read'] } },
  });
  await using gateway = await openGateway({
    config: { ...serve({ tools: ['read'] }), agents: agents('open') },
    files: { 'a.md': 'text' },
  });
  await using connected = await connectTo(gateway, 'legacy');
  expect(await namesOf(connected)).toContain('read');
  const changed = { ...serve({ tools: ['read'] }), agents: agents('closed') };
  await writeFile(
    join(gateway.workspace, '../home/config.jsonc'),
    JSON.stringify({ ...changed, gateway: { enabled: true, port: 0 } }),
  );
  // A call looks for what has changed before it begins.
  expect((await connected.call('read', { path: 'a.md' })).text).toContain('agents.closed.tools');
  expect(await namesOf(connected)).not.toContain('read');
});
