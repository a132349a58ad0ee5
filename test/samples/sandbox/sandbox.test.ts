// What the sandbox promises (docs/security.md), each promise in a real container. How commands are ended stands beside
// createDockerExec.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createJobs, type Jobs } from '../../../src/sandbox/createJobs.ts';
import type { Job } from '../../../src/sandbox/backgroundJob.ts';
import {
  docker,
  openContainerWorld,
  outputOf,
  reading,
  type ContainerWorld,
} from '../../builders/openContainerWorld.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { containerUser } from '../../builders/openSandbox.ts';
import { dockerServer } from '../../builders/testServers.ts';

const titled = (name: string): string => dockerServer.titled(name);

/** A folder of this machine with a file that every user may read. */
let outside: string;
beforeAll(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), 'pincer-outside-')));
  await chmod(outside, 0o755);
  await writeFile(join(outside, 'secret.txt'), 'hunter2');
});
afterAll(async () => await rm(outside, { recursive: true }));

describe.skipIf(dockerServer.isMissing)('a command in the sandbox', { timeout: 120_000 }, () => {
  let world: ContainerWorld;
  beforeAll(async () => {
    // Its temporary folders count as memory.
    world = await openContainerWorld({ memory: '400m' });
    await mkdir(join(world.workspace, '.git/hooks'), { recursive: true });
    await chown(join(world.workspace, '.git'), containerUser.uid, containerUser.gid);
    await chown(join(world.workspace, '.git/hooks'), containerUser.uid, containerUser.gid);
    await symlink(outside, join(world.workspace, 'way-out'));
    await outputOf(await world.start('true'));
  });
  afterAll(async () => await world.close(), 60_000);

  /** All of it ran, or what is not there at the end proves nothing; both streams in one, so that neither cuts into the other. */
  const run = async (command: string): Promise<string> => {
    const text = await outputOf(await world.start(`exec 2>&1; ${command}; echo all-ran`));
    expect(text).toMatch(/^all-ran$/mu);
    return text.replace(/^all-ran\n/mu, '');
  };

  it(titled('reads nothing of this machine, by a link of the workspace neither'), async () => {
    const text = await run(`cat way-out/secret.txt; cat ${outside}/secret.txt; env`);
    expect(text).not.toContain('hunter2');
  });

  it(titled('writes nothing outside of the workspace and its own temporary folders'), async () => {
    const places = [
      '/',
      '/etc',
      '/usr',
      '/bin',
      '/dev',
      '/proc/sys/kernel',
      '/sys',
      '/run',
      '/root',
      '/home',
    ];
    const text = await run(
      `for each in ${places.join(' ')} way-out; do echo x >$each/pincer-was-here && echo "wrote $each"; done; mount -o remount,rw / && echo remounted`,
    );
    expect(text).not.toMatch(/^(?:wrote|remounted)/mu);
    expect(await readdir(outside)).toEqual(['secret.txt']);
  });

  it(titled('changes nothing that this machine runs or obeys later'), async () => {
    const text = await run(
      'echo evil >.git/hooks/pre-commit && echo wrote; mv .git away && echo moved; rm -rf .git; ln -s /tmp .git && echo linked',
    );
    expect(text).not.toMatch(/^(?:wrote|moved|linked)$/mu);
    expect(await readdir(join(world.workspace, '.git'))).toEqual(['hooks']);
    expect(await readdir(join(world.workspace, '.git/hooks'))).toEqual([]);
  });

  it(titled('reaches no network: no name, no address, not this machine either'), async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    }).listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const targets = ['127.0.0.1', '172.17.0.1', 'host.docker.internal', 'localhost', '1.1.1.1'];
    const text = await run(
      targets.map((each) => `bash -c 'exec 3<>/dev/tcp/${each}/${port}' && echo reached`).join('; '),
    );
    server.close();
    expect(text).not.toMatch(/^reached/mu);
    expect(
      text.match(/Connection refused|Network is unreachable|not known|resolution/gu)?.length,
    ).toBeGreaterThanOrEqual(targets.length);
    expect(reached).toBe(0);
  });

  it(titled('has no right but that of its user, and gets none by a program that would give it'), async () => {
    const text = await run('grep -E "^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):" /proc/self/status; id -u');
    const lines = text.trim().split('\n');
    expect(lines.filter((line) => /^Cap\w+:\s0{16}$/u.test(line))).toHaveLength(4);
    expect(lines).toContain('NoNewPrivs:\t1');
    expect(lines.at(-1)).toBe(String(containerUser.uid));
  });

  it(titled('sees no process of this machine, and no other container'), async () => {
    const text = await run(
      `exec 2>/dev/null; kill -0 ${process.pid} && echo found; ls /var/run/docker.sock && echo socket; ls /proc | grep -c "^[0-9]"`,
    );
    expect(text).not.toMatch(/^(?:found|socket)$/mu);
    expect(text.trim()).toMatch(/^\d{1,2}$/u);
  });

  it(titled('that takes more memory than there is ends, and the next one runs'), async () => {
    const greedy = await world.start('head -c 600000000 /dev/zero | tail -c 599999999 >/dev/null');
    expect((await greedy.exit).code).toBe(137);
    expect(await run('echo on')).toBe('on\n');
  });

  it(titled('that fills its temporary folders meets their limit, not the disk of this machine'), async () => {
    const text = await run(
      'head -c 400000000 /dev/zero >/tmp/big; head -c 99000000 /dev/zero >/var/tmp/big; du -sm /tmp /var/tmp; rm /tmp/big /var/tmp/big',
    );
    expect(text.match(/No space left on device/gu)).toHaveLength(2);
  });

  it(
    titled('that ends all it can, the container among it, ends nothing but that: the next one runs'),
    async () => {
      const [before] = await world.containers();
      await (
        await world.start('kill -9 -1')
      ).exit;
      await expect.poll(() => world.containers()).not.toEqual([before]);
      expect(await run('echo on')).toBe('on\n');
    },
  );

  describe('as a job', () => {
    const jobs: Jobs = createJobs({ clock: systemClock });
    const start = async (command: string, timeoutMs = 120_000): Promise<Job> =>
      await jobs.start(
        world.sandbox,
        { command, shell: 'bash', workdir: world.workspace, env: {}, hasInput: false },
        { sessionId: 'agent:main:1', timeoutMs },
      );
    afterAll(async () => await jobs.close(), 60_000);

    it(titled('ends with its children once its time is over'), async () => {
      const job = await start('sleep 300 & (sleep 301 & wait) & wait', 1_500);
      expect(await job.ended).toMatchObject({ cause: 'timeout' });
      await expect.poll(() => world.commandsInside()).toEqual([]);
    });

    it(
      titled('whose output never ends is kept to its last 200,000 characters, and can be stopped'),
      async () => {
        const job = await start('yes abcdefgh');
        await expect.poll(() => job.output().total).toBeGreaterThan(5_000_000);
        await job.stop();
        expect(job.output().text.length).toBeLessThanOrEqual(200_000);
        expect(job.end()).toMatchObject({ cause: 'killed' });
        await expect.poll(() => world.commandsInside()).toEqual([]);
      },
    );

    it(titled('that forks without end is stopped, and the next command runs'), async () => {
      const job = await start("bash -c 'bomb() { bomb | bomb & }; bomb; sleep 300'");
      await expect.poll(() => world.commandsInside().then((all) => all.length)).toBeGreaterThan(30);
      await job.stop();
      expect(await run('echo on')).toBe('on\n');
      await expect.poll(() => world.commandsInside()).toEqual([]);
    });

    it(titled('goes on in the background beside other commands, and ends with its session'), async () => {
      const job = await start('while :; do echo x; sleep 0.1; done');
      expect(await run('echo beside')).toBe('beside\n');
      const before = job.output().total;
      await expect.poll(() => job.output().total).toBeGreaterThan(before);
      await jobs.endSession('agent:main:1');
      expect(job.end()).toMatchObject({ cause: 'killed' });
      await expect.poll(() => world.commandsInside()).toEqual([]);
    });
  });
});

describe.skipIf(dockerServer.isMissing)('a container', { timeout: 120_000 }, () => {
  const open = async (options: Parameters<typeof openContainerWorld>[0] = {}): Promise<ContainerWorld> => {
    const world = await openContainerWorld(options);
    onTestFinished(async () => await world.close());
    return world;
  };

  it.each(['.vscode', '.git'])(
    titled('is not made where %s, which would be laid over the workspace, is a link that leads out'),
    async (name) => {
      const world = await open();
      await symlink(outside, join(world.workspace, name));
      await expect(world.start(`cat ${name}/secret.txt`)).rejects.toMatchObject({
        code: 'sandbox_bind_refused',
      });
    },
  );

  it.each([
    ['the socket of Docker', () => '/var/run/docker.sock:/docker.sock:rw'],
    ['all of this machine', () => '/:/host:ro'],
    ['a folder outside of the allowed ones', () => `${outside}:/data:ro`],
    ['a link to such a folder', (workspace: string) => `${workspace}/way-out:/data:ro`],
  ])(titled('is not made with %s bound into it'), async (_what, bind) => {
    const binds: string[] = [];
    const world = await open({ binds });
    await symlink(outside, join(world.workspace, 'way-out'));
    binds.push(bind(world.workspace));
    await expect(world.start('ls')).rejects.toMatchObject({ code: 'sandbox_bind_refused' });
    expect(await world.containers()).toEqual([]);
  });

  it(titled('of a window that was killed is removed by the next one, with what runs in it'), async () => {
    const world = await open();
    const script = fileURLToPath(new URL('./dieInSandbox.ts', import.meta.url));
    const window = spawn(process.execPath, [script, world.workspace, dockerServer.url()], {
      stdio: 'inherit',
    });
    const [, signal] = (await once(window, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    const alive = join(world.workspace, 'alive.txt');
    const length = async (): Promise<number> => (await readFile(alive, 'utf8')).length;
    const before = await length();
    await expect.poll(length).toBeGreaterThan(before);
    await world.sandbox.reap();
    expect(await docker('ps', '--all', '--quiet', `--filter=volume=${world.workspace}`)).toBe('');
  });

  it(
    titled('of an image without setsid ends, interrupts and stops commands with their children, too'),
    async () => {
      const image = `pincer-test-plain:${randomUUID()}`;
      const id = await docker('create', '--entrypoint=sleep', dockerServer.url(), 'infinity');
      await docker('start', id);
      await docker('exec', '--user=0', id, 'rm', '/usr/bin/setsid');
      await docker('commit', id, image);
      await docker('rm', '--force', id);
      onTestFinished(async () => {
        await docker('image', 'rm', image);
      });
      const world = await open({ image });
      expect(await outputOf(await world.start('setsid true; echo on'))).toContain('on\n');
      const stopped = await world.startReady('sleep 300 & echo ready; sleep 301');
      await stopped.stop();
      expect(await world.commandsInside()).toEqual([]);
      const ended = await world.startReady('echo ready; sleep 300; echo over');
      const text = reading(ended);
      ended.interrupt();
      await ended.exit;
      expect(text()).not.toContain('over');
      expect(await world.commandsInside()).toEqual([]);
    },
  );

  it(titled('runs what `exec` is asked for, and is gone once the window has ended'), async () => {
    const sandbox = { enabled: true, image: dockerServer.url(), workspaceAccess: 'rw' };
    const test = await openTestRuntime({ config: { sandbox }, answer: 'allow-once', isRecorded: false });
    const there = async (): Promise<string> =>
      await docker('ps', '--all', '--quiet', `--filter=volume=${test.workspace}`);
    const call = { name: 'exec', arguments: { command: 'echo here >made.txt; hostname' } };
    const { outcome } = await test.say('Run it.', [{ toolCalls: [call] }, { text: 'Done.' }]);
    expect(outcome).toMatchObject({ status: 'completed' });
    const id = await there();
    expect(id).toMatch(/^[0-9a-f]{12}$/u);
    expect(JSON.stringify(test.session.entries())).toContain(id);
    expect(await readFile(join(test.workspace, 'made.txt'), 'utf8')).toBe('here\n');
    await test[Symbol.asyncDispose]();
    expect(await there()).toBe('');
  });
});
