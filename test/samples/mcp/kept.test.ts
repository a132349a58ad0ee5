import {
  access,
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { describeStart } from '../../../src/mcp/describeInspection.ts';
import { openMcpWorld, type McpWorld } from './openMcpWorld.ts';
import { openRegistry, type Registry } from './openRegistry.ts';

const pnpm = join(import.meta.dirname, '../../../node_modules/.bin/pnpm');
const echo = { tool: 'echo', args: { text: 'hi' } };

/** The world whose server a launcher fetches from this registry. */
async function openWorld(
  registry: Registry,
  command: string,
  args: readonly string[],
  root?: string,
): Promise<McpWorld> {
  const stateFile = join(registry.folder, 'state');
  await writeFile(stateFile, '{ "does": [], "waitMs": 0 }');
  return await openMcpWorld({
    ...(root === undefined ? {} : { root }),
    isAgreed: false,
    program: { command, args: [...args, stateFile], env: registry.env },
  });
}

/** The one folder of Pincer's that has a package. */
async function keptIn({ runtime }: McpWorld): Promise<string> {
  const packages = join(dirname(runtime.workspace), 'home/packages');
  const [name = ''] = (await readdir(packages)).filter((each) => !each.endsWith('.locks'));
  return join(packages, name);
}

async function changesOf({ servers }: McpWorld): Promise<readonly string[] | undefined> {
  await expect(servers.restart('files')).rejects.toMatchObject({ code: 'mcp_launch_changed' });
  return (await servers.inspect('files')).launchChanges;
}

it('fetches what pnpm dlx would, once, and asks before anything else runs in its place', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, pnpm, ['dlx', 'tides-server']);
  expect((await world.servers.inspect('files')).launchWarnings.join('\n')).toMatch(
    /the version of tides-server is not fixed\. Name one: tides-server@1\.2\.3\.\n.*at the first start; what came is compared/u,
  );
  await world.agree();
  const { launch } = await world.servers.inspect('files');
  expect(launch).toMatchObject({
    installed: {
      version: '1.0.0',
      integrity: expect.stringMatching(/^sha512-/u) as string,
      folder: await keptIn(world),
    },
  });
  // The tag moves, and nothing newer comes by itself.
  await registry.publish('1.0.1');
  await world.servers.restart('files');
  expect((await world.call(echo)).texts[0]).toContain('hi');
  expect((await world.servers.inspect('files')).launch).toMatchObject({ installed: { version: '1.0.0' } });
  await world.servers.stop('files');
  await rm(await keptIn(world), { recursive: true });
  expect(await changesOf(world)).toEqual([
    'the package tides-server 1.0.0 is not installed any more: whatever the registry serves would run in its place',
  ]);
});

it('refuses any file of a fetched package that was exchanged, is new, or leads elsewhere', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, pnpm, ['dlx', 'tides-server@1.0.0']);
  await world.agree();
  await world.servers.stop('files');
  const kept = await keptIn(world);
  const inside = (path: string): string => join(kept, 'node_modules', path);
  const changed = [
    'the files of the package tides-server 1.0.0, or what was installed with it, have changed',
  ];
  const shim = inside('.bin/tides-server');
  const before = await readFile(shim);
  await appendFile(shim, '# exchanged\n');
  expect(await changesOf(world)).toEqual(changed);
  await writeFile(shim, before);
  await writeFile(inside('.bin/node'), '#!/bin/sh\n', { mode: 0o755 });
  expect(await changesOf(world)).toEqual(changed);
  await rm(inside('.bin/node'));
  await world.servers.restart('files');
  await world.servers.stop('files');
  await symlink(registry.folder, inside('elsewhere'));
  await expect(world.servers.restart('files')).rejects.toMatchObject({ code: 'mcp_package_link' });
  await unlink(inside('elsewhere'));
  // Half of what was to be fetched is nothing.
  await rm(join(kept, 'pincer-fetched'));
  expect((await changesOf(world))?.[0]).toContain('is not installed any more');
});

it('obeys no setting and no program of the open folder where it fetches a package', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, pnpm, ['dlx', 'tides-server']);
  const { workspace } = world.runtime;
  const trace = join(registry.folder, 'planted');
  const bin = join(workspace, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  for (const name of ['node', 'sh', 'tides-server'])
    await writeFile(join(bin, name), `#!/bin/sh\n: > '${trace}'\n`, { mode: 0o755 });
  await writeFile(join(workspace, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  await writeFile(join(workspace, '.pnpmfile.cjs'), `require('fs').writeFileSync('${trace}', '')`);
  await writeFile(join(workspace, 'pnpm-workspace.yaml'), 'packages: ["."]\n');
  await world.agree();
  expect((await world.call(echo)).texts[0]).toContain('hi');
  await expect(access(trace)).rejects.toThrow();
});

it('says why a package could not be fetched, and starts nothing', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await using world = await openWorld(registry, pnpm, ['dlx', 'tides-server@2.0.0']);
  const { launchHash } = await world.servers.inspect('files');
  await world.servers.agreeToStart('files', launchHash);
  await expect(world.servers.inspect('files')).rejects.toMatchObject({
    code: 'mcp_package_not_fetched',
    message: expect.stringContaining('tides-server@2.0.0') as string,
  });
  expect(await world.asked()).toEqual([]);
});

it('compares nothing of what no registry serves, and says so', async () => {
  await using registry = await openRegistry();
  for (const spec of ['github:someone/tides', './tides', 'https://tides.example/a.tgz']) {
    await using world = await openWorld(registry, pnpm, ['dlx', spec]);
    const seen = describeStart(await world.servers.inspect('files')).join('\n');
    expect(seen).toContain(`Package: ${spec}, not compared`);
    expect(seen).toContain(`what came is not compared, since ${spec} is no package of a registry`);
  }
});

/** Programs of these names that do what such a package manager does. */
async function plantManagers(folder: string, ...names: readonly string[]): Promise<void> {
  const source = await readFile(join(import.meta.dirname, 'fixture/installer.mjs'), 'utf8');
  for (const name of names) {
    await writeFile(join(folder, `${name}.mjs`), `#!${process.execPath}\n${source}`, { mode: 0o755 });
    await symlink(`${name}.mjs`, join(folder, name));
  }
}

it('fetches what yarn dlx would, once, and refuses another content', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await plantManagers(registry.folder, 'yarn');
  await using world = await openWorld(registry, join(registry.folder, 'yarn'), ['dlx', 'tides-server']);
  expect((await world.servers.inspect('files')).launchWarnings.join('\n')).toMatch(
    /the version of tides-server is not fixed\. .*\n.*at the first start; what came is compared/u,
  );
  await world.agree();
  await registry.publish('1.0.1');
  await world.servers.restart('files');
  expect((await world.call(echo)).texts[0]).toContain('hi');
  expect((await world.servers.inspect('files')).launch).toMatchObject({
    installed: { version: '1.0.0', integrity: expect.stringMatching(/^10c0\/[0-9a-f]{128}$/u) as string },
  });
  await world.servers.stop('files');
  await appendFile(join(await keptIn(world), 'node_modules/tides-server/server.mjs'), '// exchanged');
  expect(await changesOf(world)).toEqual([
    'the files of the package tides-server 1.0.0, or what was installed with it, have changed',
  ]);
});

it('fetches what bunx would, and compares a program that it runs in its place', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await plantManagers(registry.folder, 'bun', 'bunx');
  const bunx = join(registry.folder, 'bunx');
  await using world = await openWorld(registry, bunx, ['tides-server']);
  await world.agree();
  expect((await world.call(echo)).texts[0]).toContain('hi');
  expect((await world.servers.inspect('files')).launch).toMatchObject({
    installed: { version: '1.0.0', integrity: expect.stringMatching(/^sha512-/u) as string },
  });
  await world.servers.stop('files');
  await appendFile(join(await keptIn(world), 'node_modules/tides-server/server.mjs'), '// exchanged');
  expect((await changesOf(world))?.[0]).toContain('have changed');
  const planted = join(world.runtime.workspace, 'node_modules/.bin/tides-server');
  await mkdir(dirname(planted), { recursive: true });
  await writeFile(planted, '#!/bin/sh\n');
  await chmod(planted, 0o755);
  expect(await changesOf(world)).toContain(`runs another file: ${planted}`);
  expect(describeStart(await world.servers.inspect('files')).join('\n')).toContain(
    'tides-server is a program of this machine, or of the folder it runs in',
  );
});

it('is fetched once where two windows want it at the same time', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await plantManagers(registry.folder, 'bun', 'bunx');
  const open = (root?: string): Promise<McpWorld> =>
    openWorld(registry, join(registry.folder, 'bunx'), ['tides-server'], root);
  await using one = await open();
  await using other = await open(dirname(one.runtime.workspace));
  await Promise.all([one, other].map((world) => world.agree()));
  expect(registry.served()).toBe(1);
  for (const world of [one, other]) expect((await world.call(echo)).texts[0]).toContain('hi');
  expect(await readdir(join(await keptIn(one), 'node_modules'))).toEqual(['.bin', 'tides-server']);
});

it('cancels what is fetched for a server that is stopped or removed, and fetches it anew with the next start', async () => {
  await using registry = await openRegistry();
  await registry.publish('1.0.0');
  await plantManagers(registry.folder, 'bun', 'bunx');
  await using world = await openWorld(registry, join(registry.folder, 'bunx'), ['tides-server']);
  const { mcp } = world.runtime.runtime;
  const { launchHash } = await mcp.inspect('files');
  await mcp.agreeToStart('files', launchHash);
  const { asked, left } = registry.hold();
  const refused = expect(mcp.inspect('files')).rejects.toMatchObject({ code: 'mcp_stopped' });
  await asked;
  expect(mcp.list()).toMatchObject([{ state: 'starting' }]);
  await mcp.stop('files');
  await Promise.all([left, refused]);
  expect(mcp.list()[0]?.state).toBe('unlisted');
  const { brings } = await mcp.inspect('files');
  await mcp.agreeToTools('files', brings!.toolsHash);
  expect((await world.call(echo)).texts[0]).toContain('hi');
  await mcp.stop('files');
  await rm(await keptIn(world), { recursive: true });
  await mcp.agreeToStart('files', (await mcp.inspect('files')).launchHash);
  const again = registry.hold();
  const gone = expect(mcp.restart('files')).rejects.toMatchObject({ code: 'mcp_stopped' });
  await again.asked;
  await mcp.remove('files');
  await Promise.all([again.left, gone]);
  expect(mcp.list()).toEqual([]);
});
