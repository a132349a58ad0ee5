import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docker } from '../../builders/openContainerWorld.ts';
import { dockerServer } from '../../builders/testServers.ts';
import { openMcpWorld } from './openMcpWorld.ts';

const program = { command: 'sh', args: ['server.sh'], sandbox: true };
const script = await readFile(join(import.meta.dirname, 'fixture', 'server.sh'), 'utf8');
const files = { 'server.sh': script, 'note.txt': 'high tide' };

it('does not start a server that wants the sandbox where none can be had, and says why', async () => {
  await using world = await openMcpWorld({
    isAgreed: false,
    program,
    files,
    adjustHost: (host) => ({ ...host, env: { ...host.env, DOCKER_HOST: 'unix:///nowhere/docker.sock' } }),
  });
  const { launchHash, launch } = await world.servers.inspect('files');
  expect(launch).toMatchObject({ sandbox: expect.stringContaining('without network') as string });
  await world.servers.agreeToStart('files', launchHash);
  await expect(world.servers.inspect('files')).rejects.toMatchObject({
    code: 'mcp_sandbox_unavailable',
    hint: expect.stringContaining('Start Docker') as string,
  });
  expect(world.servers.list()).toMatchObject([
    { state: 'failed', problem: expect.stringContaining("the sandbox, which can't be had") as string },
  ]);
});

describe.skipIf(dockerServer.isMissing)('in a real container', { timeout: 120_000 }, () => {
  const titled = (name: string): string => dockerServer.titled(name);

  it(
    titled('a sandboxed server has no network, reads the workspace, gets its key, and each call still asks'),
    async () => {
      await using world = await openMcpWorld({
        program: { ...program, env: { LOOK_KEY: "it's me" } },
        files,
        config: { sandbox: { image: dockerServer.url() } },
      });
      const { texts, events } = await world.call({ tool: 'look' });
      expect(texts[0]).toContain("key=it's me net=lo  note=high tide write=no");
      expect(events.some(({ type }) => type === 'approval_requested')).toBe(true);
      const own = `--filter=volume=${world.runtime.workspace}`;
      const ids = await docker('ps', '--quiet', own);
      expect(ids.trim().split('\n')).toHaveLength(1);
      const seen = await docker('inspect', ids.trim());
      expect(seen).not.toContain("it's me");
      await world.servers.stop('files');
      expect(await docker('ps', '--all', '--quiet', own)).toBe('');
    },
  );

  it(titled('a server that is to leave the sandbox is asked about again'), async () => {
    await using world = await openMcpWorld({
      program,
      files,
      config: { sandbox: { image: dockerServer.url() } },
    });
    const { runtime } = world.runtime;
    const config = join(runtime.workspace.home, 'config.jsonc');
    await writeFile(config, (await readFile(config, 'utf8')).replace('"sandbox":true', '"sandbox":false'));
    await runtime.workspace.reloadConfig();
    expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
    expect((await world.servers.inspect('files')).launchChanges?.join()).toMatch(
      /sandbox: a container of .* → none/u,
    );
  });
});
