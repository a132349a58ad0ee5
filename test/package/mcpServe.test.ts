import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';

interface Served extends AsyncDisposable {
  readonly client: Client;
  /** Absolute path. */
  readonly workspace: string;
  call(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** What ships, asked by the protocol's own client. */
async function serve(mode: 'legacy' | 'auto', config = '{}'): Promise<Served> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-serve-')));
  const [workspace, home, state] = ['workspace', 'home', 'state'].map((name) => join(root, name));
  for (const folder of [workspace, home, join(workspace!, 'memory')]) await mkdir(folder!);
  await writeFile(
    join(workspace!, 'memory', 'harbour.md'),
    '# Harbour\n\nThe lighthouse keeper is called Ines.\n',
  );
  await writeFile(join(home!, 'config.jsonc'), config);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(projectRoot, 'dist', 'cli.js'),
      'mcp',
      'serve',
      '--workspace',
      workspace!,
      '--state-dir',
      state!,
    ],
    env: { PATH: process.env['PATH'] ?? '', HOME: home!, PINCER_HOME: home!, TMPDIR: root },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    workspace: workspace!,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

it('serves memory, tool policies and the state of plugins to a client of the older protocol', async () => {
  await using served = await serve('legacy');
  const { tools } = await served.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'memory_get',
    'memory_search',
    'plugins_doctor',
    'tools_explain',
  ]);
  expect((await served.call('memory_search', { query: 'lighthouse keeper' })).text).toContain('Ines');
  expect((await served.call('memory_get', { path: 'memory/harbour.md' })).text).toContain('Ines');
  expect((await served.call('tools_explain', { name: 'exec' })).text).toContain('exec: agents can use it');
  expect((await served.call('plugins_doctor')).text).toContain('plugin memory-core');
});

it('serves the newer protocol, and no tool that the config does not name', async () => {
  await using served = await serve('auto', '{ "mcp": { "serve": { "tools": ["read"] } } }');
  expect(served.client.getProtocolEra()).toBe('modern');
  const { tools } = await served.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('read');
  expect(await served.call('read', { path: 'memory/harbour.md' })).toMatchObject({ isError: false });
  expect(await served.call('exec', { command: 'ls' })).toEqual({
    text: 'There is no tool "exec".',
    isError: true,
  });
});

it('asks policies about tools_explain and plugins_doctor as about every other tool', async () => {
  await using served = await serve('legacy', '{ "tools": { "deny": ["plugins_doctor"] } }');
  expect((await served.client.listTools()).tools.map(({ name }) => name)).not.toContain('plugins_doctor');
  expect(await served.call('plugins_doctor')).toMatchObject({ isError: true });
  expect((await served.call('tools_explain', { name: 'plugins_doctor' })).text).toContain(
    'denies it by "plugins_doctor"',
  );
});

for (const mode of ['legacy', 'auto'] as const)
  it(`tells a client that wants it what a command says while it runs (${mode})`, async () => {
    const config = {
      mcp: { serve: { tools: ['exec'] } },
      approvals: { mode: 'full' },
      // It may change results: nothing is told before it has seen them.
      plugins: { entries: { 'secret-redactor': { enabled: false } } },
    };
    await using served = await serve(mode, JSON.stringify(config));
    const told: { readonly progress: number; readonly message?: string | undefined }[] = [];
    const called = served.client.callTool(
      { name: 'exec', arguments: { command: 'echo begun; while [ ! -e heard ]; do sleep 0.02; done' } },
      { onprogress: (progress) => void told.push(progress) },
    );
    await expect.poll(() => told).toEqual([{ progress: 1, message: 'begun' }]);
    await writeFile(join(served.workspace, 'heard'), '');
    expect((await called).isError).toBe(false);
  });

it('denies what would ask, since nobody is there', async () => {
  await using served = await serve('legacy', '{ "mcp": { "serve": { "tools": ["write"] } } }');
  const { isError } = await served.call('write', { path: 'a.md', content: 'x' });
  expect(isError).toBe(true);
});
