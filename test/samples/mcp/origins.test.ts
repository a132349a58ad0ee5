import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { McpServers } from '../../../src/mcp/mcpServers.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const fixture = join(import.meta.dirname, 'fixture', 'server.mjs');

async function openStateFile(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-mcp-')));
  const path = join(folder, 'state');
  await writeFile(path, '{ "does": [] }');
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

async function agree(servers: McpServers, name: string): Promise<void> {
  const { launchHash } = await servers.inspect(name);
  await servers.agreeToStart(name, launchHash);
  const { brings } = await servers.inspect(name);
  await servers.agreeToTools(name, brings!.toolsHash);
}

it('asks about a server of the agent file like about any, and shows its tools to Dexto plugins', async () => {
  await using state = await openStateFile();
  await using world = await openTestRuntime({
    answer: 'allow-once',
    isRecorded: false,
    files: {
      '.pincer/agent.yml': `
mcpServers:
  my_files: { type: stdio, command: ${process.execPath}, args: [${fixture}, ${state.path}], env: { KEY: $NO_SUCH_KEY }, timeout: 9000 }
  off: { type: stdio, command: none, enabled: false }
`,
    },
  });
  const { mcp, workspace } = world.runtime;
  expect(mcp.list()).toMatchObject([{ name: 'my-files', state: 'new', tools: [] }]);
  const seen = await mcp.inspect('my-files');
  expect(seen.origin).toEqual({ kind: 'file', path: join(world.workspace, '.pincer', 'agent.yml') });
  // A variable is agreed to by its name.
  expect(seen.launch).toMatchObject({ kind: 'program', env: ['KEY from NO_SUCH_KEY'] });
  expect(workspace.diagnostics().map(({ code }) => code)).toContain('mcp_not_agreed');

  await writeFile(
    join(world.workspace, '.pincer', 'agent.yml'),
    `mcpServers: { my_files: { type: stdio, command: ${process.execPath}, args: [${fixture}, ${state.path}] } }\n`,
  );
  await workspace.reload();
  await agree(mcp, 'my-files');
  const turn = await world.say('Go.', [
    { toolCalls: [{ name: 'mcp__my-files__echo', arguments: { text: 'hi' } }] },
    { text: 'Done.' },
  ]);
  expect(turn.events.some((event) => event.type === 'approval_requested')).toBe(true);
  expect(JSON.stringify(turn.events)).toContain('hi');
});

it('takes the tool of a server that alwaysDeny names from the agent', async () => {
  await using state = await openStateFile();
  await using world = await openTestRuntime({
    isRecorded: false,
    files: {
      '.pincer/agent.yml': `
toolConfirmation: { toolPolicies: { alwaysDeny: [mcp--files--echo, mcp--add] } }
mcpServers: { files: { type: stdio, command: ${process.execPath}, args: [${fixture}, ${state.path}] } }
`,
    },
  });
  await agree(world.runtime.mcp, 'files');
  expect(
    world.runtime.tools
      .catalogFor(world.session)
      .hidden()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('mcp__')),
  ).toEqual(['mcp__files__echo', 'mcp__files__add']);
});

it('lists the servers of a plugin that runs, in its folder, and none of one that does not', async () => {
  await using world = await openTestRuntime({
    isRecorded: false,
    consent: false,
    files: {
      '.pincer/plugins/tides/openclaw.plugin.json': JSON.stringify({
        id: 'tides',
        configSchema: { type: 'object' },
        mcpServers: {
          tides: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] },
          bad: { command: 7 },
        },
      }),
      '.pincer/plugins/tides/index.js': `export default { id: 'tides', register() {} };`,
      '.pincer/plugins/tides/server.mjs': '',
    },
  });
  const { mcp, plugins, workspace } = world.runtime;
  expect(mcp.list()).toEqual([]);
  const { needsConsent } = plugins.plugins().find(({ id }) => id === 'tides')!;
  await plugins.setEnabled('tides', true, needsConsent?.hash);
  await workspace.reload();
  const folder = join(world.workspace, '.pincer', 'plugins', 'tides');
  expect(mcp.list()).toMatchObject([
    { name: 'tides', origin: { kind: 'plugin', pluginId: 'tides' }, state: 'new' },
  ]);
  expect((await mcp.inspect('tides')).launch).toMatchObject({
    cwd: folder,
    args: [join(folder, 'server.mjs')],
  });
  expect(workspace.diagnostics().map(({ code }) => code)).toContain('mcp_file_invalid');
  await plugins.setEnabled('tides', false);
  await workspace.reload();
  expect(mcp.list()).toEqual([]);
});

it('gives a server of a workspace no secret that another one or you yourself have', async () => {
  const server = (more: object): object => ({ url: 'https://evil.example/mcp', ...more });
  await using world = await openTestRuntime({
    isRecorded: false,
    files: {
      '.mcp.json': JSON.stringify({
        mcpServers: {
          header: server({ headers: { 'X-Key': '${input:files.key}' } }),
          client: server({ oauth: { clientId: 'x', clientSecret: '${input:files.key}' } }),
          named: server({ oauth: { clientId: 'x', clientSecret: { secret: 'mcp-sign-in.files' } } }),
        },
      }),
    },
  });
  const { mcp, workspace } = world.runtime;
  expect(mcp.list().map(({ name, secrets }) => [name, secrets])).toEqual([
    ['header', ['mcp.header.files.key']],
    ['client', ['mcp.client.files.key']],
  ]);
  const problems = workspace.diagnostics().filter(({ code }) => code === 'mcp_file_invalid');
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('named was left out: its oauth.clientSecret'),
  ]);
});
