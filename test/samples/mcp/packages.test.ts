import { access, appendFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { describeStart } from '../../../src/mcp/describeInspection.ts';
import type { Host } from '../../../src/host/ports.ts';
import { openMcpWorld, type McpWorld } from './openMcpWorld.ts';
import { openRegistry, type Registry } from './openRegistry.ts';

const fixture = join(import.meta.dirname, 'fixture', 'server.mjs');

/** The world whose server npx fetches from this registry. */
async function openWorld(registry: Registry, spec: string, more: object = {}): Promise<McpWorld> {
  const stateFile = join(registry.folder, 'state');
  await writeFile(stateFile, '{ "does": [], "waitMs": 0 }');
  return await openMcpWorld({ isAgreed: false, program: registry.program(spec, stateFile), ...more });
}

const echo = { tool: 'echo', args: { text: 'hi' } };

it('names the package at consent, says that its version is not fixed, and pins what came at the first start', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, 'tides-server');
  expect((await world.servers.inspect('files')).launchWarnings.join('\n')).toMatch(
    /whatever the registry serves: the version of tides-server is not fixed\. Name one: tides-server@1\.2\.3/u,
  );
  await world.agree();
  expect((await world.servers.inspect('files')).launch).toMatchObject({
    installed: {
      name: 'tides-server',
      version: '1.0.0',
      integrity: expect.stringMatching(/^sha512-/u) as string,
    },
  });
  // A newer one does not come by itself.
  await registry.publish('1.0.1');
  await world.servers.restart('files');
  expect((await world.call(echo)).texts[0]).toContain('hi');
  expect((await world.servers.inspect('files')).launch).toMatchObject({ installed: { version: '1.0.0' } });
  // Without what was agreed to, the newest would run: that is asked.
  await world.servers.stop('files');
  await rm(await registry.installed(), { recursive: true });
  expect((await world.call(echo)).texts[0]).toContain('it would run something else than what you agreed to');
  expect((await world.servers.inspect('files')).launchChanges).toEqual([
    'the package tides-server 1.0.0 is not installed any more: whatever the registry serves would run in its place',
  ]);
});

it('ends a start whose package can not be noted, and pins the package of the next one', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, 'tides-server');
  const { launchHash } = await world.servers.inspect('files');
  await world.servers.agreeToStart('files', launchHash);
  const locks = join(world.runtime.runtime.workspace.home, 'mcp.json.locks');
  await rm(locks, { recursive: true });
  await writeFile(locks, 'no folder');
  await expect(world.servers.restart('files')).rejects.toThrow();
  expect(world.servers.list()).toMatchObject([{ state: 'failed' }]);
  await rm(locks);
  await rm(await registry.installed(), { recursive: true });
  await registry.publish('1.0.1');
  await world.servers.restart('files');
  expect(world.servers.log('files').join('\n')).toContain('It runs tides-server 1.0.1');
  await rm(await registry.installed(), { recursive: true });
  await expect(world.servers.restart('files')).rejects.toMatchObject({ code: 'mcp_launch_changed' });
});

it('refuses to start a package whose files were exchanged after somebody agreed to it', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, 'tides-server@1.0.0');
  await world.agree();
  expect((await world.call(echo)).texts[0]).toContain('hi');
  await world.servers.stop('files');
  await appendFile(
    join(await registry.installed(), 'node_modules/tides-server/server.mjs'),
    '\n// exchanged',
  );
  expect((await world.call(echo)).texts[0]).toContain('have changed');
  expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
});

it('asks again where the open folder brings a package of that name', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, 'tides-server');
  await world.agree();
  await world.servers.stop('files');
  const planted = join(world.runtime.workspace, 'node_modules/tides-server');
  await mkdir(planted, { recursive: true });
  await cp(join(registry.folder, '1.0.0/package'), planted, { recursive: true });
  await expect(world.servers.restart('files')).rejects.toMatchObject({ code: 'mcp_launch_changed' });
  expect((await world.servers.inspect('files')).launchChanges?.join()).toContain(world.runtime.workspace);
});

it('runs what was compared, whatever the settings of npm are in the open folder', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, 'tides-server');
  await world.agree();
  await world.servers.stop('files');
  const { workspace } = world.runtime;
  const trace = join(registry.folder, 'planted');
  const planted = join(workspace, 'planted.sh');
  await writeFile(planted, `#!/bin/sh\n: > '${trace}'\nexec /bin/sh "$@"\n`, { mode: 0o755 });
  await writeFile(join(workspace, '.npmrc'), `script-shell=${planted}\ncache=${workspace}/cache\n`);
  await writeFile(join(workspace, 'package.json'), '{}');
  expect((await world.call(echo)).texts[0]).toContain('hi');
  await expect(access(trace)).rejects.toThrow();
});

it('asks again where the open folder brings a program that npx would run, or run by', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, 'tides-server@1.0.0');
  await world.agree();
  await world.servers.stop('files');
  const { workspace } = world.runtime;
  const changesWith = async (path: string, content: string): Promise<readonly string[] | undefined> => {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content, { mode: 0o755 });
    await expect(world.servers.restart('files')).rejects.toMatchObject({ code: 'mcp_launch_changed' });
    const { launchChanges } = await world.servers.inspect('files');
    await rm(join(workspace, path));
    return launchChanges;
  };
  const bin = 'node_modules/.bin';
  for (const name of ['node', 'sh', 'tides-server@1.0.0'])
    expect(await changesWith(`${bin}/${name}`, '#!/bin/sh\n')).toEqual([
      `runs another file: ${join(workspace, bin, name)}`,
    ]);
  const manifest = JSON.stringify({ name: 'own', bin: { 'x/tides-server@1.0.0': 'own.mjs' } });
  expect(await changesWith('package.json', manifest)).toEqual([
    `runs another file: ${join(workspace, 'package.json')}`,
  ]);
});

it('runs a program of the open folder where that is what was agreed to', async () => {
  await using registry = await openRegistry();
  await using world = await openWorld(registry, 'own-tides');
  const program = join(world.runtime.workspace, 'node_modules/.bin/own-tides');
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, `#!/bin/sh\nexec node '${fixture}' "$@"\n`, { mode: 0o755 });
  const seen = describeStart(await world.servers.inspect('files')).join('\n');
  expect(seen).toContain(`File: ${program}`);
  expect(seen).toContain('own-tides is a program of the folder it runs in');
  expect(seen).not.toContain('fetches');
  await world.agree();
  expect((await world.call(echo)).texts[0]).toContain('hi');
});

it('compares what npm exec starts as it compares what npx does', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  const stateFile = join(registry.folder, 'state');
  const { args, ...npx } = registry.program('tides-server@1.0.0', stateFile);
  const program = {
    ...npx,
    command: 'npm',
    args: ['exec', ...(args as string[]).slice(0, 1), '--', ...(args as string[]).slice(1)],
  };
  await using world = await openWorld(registry, 'tides-server@1.0.0', { program });
  await world.agree();
  expect((await world.call(echo)).texts[0]).toContain('hi');
  await world.servers.stop('files');
  const file = join(await registry.installed(), 'node_modules', 'tides-server', 'server.mjs');
  await appendFile(file, '// exchanged');
  expect((await world.call(echo)).texts[0]).toContain('it would run something else than what you agreed to');
});

it('asks again after 30 days where nothing fixes what a launcher runs, and not where a version does', async () => {
  await using registry = await openRegistry();
  const uvx = join(registry.folder, 'uvx');
  const start = `exec '${process.execPath}' '${fixture}' "$2"`;
  await writeFile(uvx, `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  const stateFile = join(registry.folder, 'state');
  const openEnded = 'you agreed to this 30 days ago; nothing fixes which version it runs';
  for (const [spec, isAskedAgain] of [
    ['tides-server', true],
    ['tides-server==1.0.0', false],
  ] as const) {
    let days = 0;
    await using world = await openWorld(registry, '', {
      program: { command: uvx, args: [spec, stateFile] },
      adjustHost: (host: Host): Host => ({
        ...host,
        clock: { ...host.clock, now: () => host.clock.now() + days * 86_400_000 },
      }),
    });
    expect((await world.servers.inspect('files')).launchWarnings.join()).toContain(
      isAskedAgain ? 'is not pinned: each start may run another program' : 'pins tides-server to 1.0.0',
    );
    await world.agree();
    days = 29;
    await world.servers.stop('files');
    expect((await world.call(echo)).texts[0]).toContain('hi');
    days = 31;
    await world.servers.stop('files');
    const said = (await world.call(echo)).texts[0];
    expect(said).toContain(isAskedAgain ? openEnded : 'hi');
    expect(said).not.toContain('something else');
    const asked = describeStart(await world.servers.inspect('files')).filter((line) => line.includes('days'));
    expect(asked.join('\n').includes(`Asked again: ${openEnded}.`)).toBe(isAskedAgain);
    await world.agree();
    expect((await world.call(echo)).texts[0]).toContain('hi');
  }
});
