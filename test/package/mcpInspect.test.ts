import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { openCliWorld } from './openCliWorld.ts';

const fixture = join(projectRoot, 'test/samples/mcp/fixture/server.mjs');

it('agrees to the tools that --tools names, shows what stays out before, and keeps it out', async () => {
  const cli = await openCliWorld();
  try {
    await cli.write({
      '../home/config.jsonc': JSON.stringify({
        mcp: {
          servers: { files: { command: process.execPath, args: [fixture, join(cli.folder, 'state')] } },
        },
      }),
      state: '{ "does": [], "waitMs": 0 }',
    });
    const unknown = await cli.run(['mcp', 'inspect', 'files', '--yes', '--tools', 'echo,nothing']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('files has no tool nothing.');
    const some = await cli.run(['mcp', 'inspect', 'files', '--yes', '--tools', 'echo']);
    expect(some.code).toBe(0);
    expect(some.stderr).toContain('"inputSchema"');
    expect(some.stderr).toMatch(/\nAgents get: echo\nAgents do not get: \w+/u);
    const toolsOf = async (): Promise<unknown> => (await cli.json(['mcp', 'list'])).value;
    expect(await toolsOf()).toMatchObject({ servers: [{ state: 'ready', tools: [{ name: 'echo' }] }] });
    // A later look without names changes nothing of it.
    const again = await cli.run(['mcp', 'inspect', 'files', '--yes']);
    expect(again.stderr).toContain('Left out by you: ');
    expect(await toolsOf()).toMatchObject({ servers: [{ tools: [{ name: 'echo' }] }] });
    // What was left out and is wanted after all is shown whole.
    const [, other = ''] = /Agents do not get: (\w+)/u.exec(some.stderr) ?? [];
    const both = await cli.run(['mcp', 'inspect', 'files', '--yes', '--tools', `echo,${other}`]);
    expect(both.stderr).toContain(`${other} of files\n`);
    expect(both.stderr).toContain('"inputSchema"');
    expect(both.stderr).toContain(`Agents get: echo, ${other}\n`);
  } finally {
    await cli.close();
  }
});

it('gives programs what was added and agreed to as JSON', async () => {
  const cli = await openCliWorld();
  try {
    const files = { command: process.execPath, args: [fixture, join(cli.folder, 'state')] };
    await cli.write({
      state: '{ "does": [], "waitMs": 0 }',
      'mcp.json': JSON.stringify({ mcpServers: { files } }),
    });
    const added = await cli.json(['mcp', 'add', '--file', join(cli.folder, 'mcp.json'), '--yes']);
    expect(added.value).toMatchObject({ servers: [{ name: 'files', tools: [{ name: 'echo' }, {}] }] });
    const some = await cli.json(['mcp', 'inspect', 'files', '--yes', '--tools', 'echo']);
    expect(some.value).toMatchObject({ name: 'files', mayStart: true, brings: { isAgreed: true } });
  } finally {
    await cli.close();
  }
});

it('loads the library of the protocol with the first server, and not before', async () => {
  const cli = await openCliWorld();
  try {
    const files = { command: process.execPath, args: [fixture, join(cli.folder, 'state')] };
    await cli.write({
      '../home/config.jsonc': JSON.stringify({ mcp: { servers: { files } } }),
      state: '{ "does": [], "waitMs": 0 }',
    });
    // Node writes there which scripts a process has loaded.
    const loadedBy = async (name: string, ...args: readonly string[]): Promise<readonly string[]> => {
      const coverage = join(cli.folder, name);
      expect((await cli.run(args, { env: { NODE_V8_COVERAGE: coverage } })).code).toBe(0);
      const reports = await readdir(coverage);
      const texts = await Promise.all(reports.map((each) => readFile(join(coverage, each), 'utf8')));
      return ['runtime.js', 'mcp.js'].filter((each) => texts.some((text) => text.includes(`/dist/${each}"`)));
    };
    expect(await loadedBy('list', 'mcp', 'list')).toEqual(['runtime.js']);
    expect(await loadedBy('inspect', 'mcp', 'inspect', 'files', '--yes')).toEqual(['runtime.js', 'mcp.js']);
  } finally {
    await cli.close();
  }
});
