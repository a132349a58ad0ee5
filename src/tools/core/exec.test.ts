import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createExecWorld, said, type ExecWorld } from '../../../test/builders/createExecWorld.ts';
import { testRun } from '../../../test/builders/callContexts.ts';
import { textOf } from '../../../test/samples/tools/createTestWorkspace.ts';
import type { ToolEffect, ToolResult } from '../../contracts/tool.ts';
import type { ExecRequest } from '../../sandbox/execOperations.ts';

let world: ExecWorld;
beforeEach(async () => {
  world = await createExecWorld();
});
afterEach(() => world.close());

const exec = (command: string, parts: object = {}): Promise<ToolResult> =>
  world.call('exec', { command, ...parts });

async function effectOf(command: string, parts: object = {}): Promise<ToolEffect | undefined> {
  const { effects } = await world.prepare('exec', { command, ...parts });
  expect(effects).toHaveLength(1);
  return effects[0];
}

describe.skipIf(process.platform === 'win32')('exec', () => {
  describe('before it runs', () => {
    test('says what will run, where, and what the rules say; nothing has happened yet', async () => {
      expect(await effectOf('touch evil')).toEqual({
        kind: 'execute',
        command: 'touch evil',
        workdir: world.root,
        host: 'local',
        verdict: 'ask',
        reason: 'The allow list does not cover it.',
        patterns: ['touch evil'],
      });
      expect(await effectOf('ls')).toMatchObject({ verdict: 'allowed' });
      expect(await effectOf('rm -rf /')).toMatchObject({ verdict: 'denied' });
      expect(world.jobs.list()).toEqual([]);
    });

    test('says of a command what it redirects, and of several their parts', async () => {
      const redirected = { text: 'ls > out', pieces: ['> out'] };
      expect(await effectOf('ls > out')).toMatchObject({ verdict: 'ask', parts: [redirected] });
      expect(await effectOf('pwd && ls > out')).toMatchObject({ parts: [{ text: 'pwd' }, redirected] });
      expect(await effectOf('ls')).not.toHaveProperty('parts');
    });

    test('a call can make the rules stricter', async () => {
      expect(await effectOf('ls', { ask: 'always' })).toMatchObject({ verdict: 'ask' });
      expect(await effectOf('ls', { security: 'deny' })).toMatchObject({ verdict: 'denied' });
      expect(await effectOf('touch x', { security: 'full', ask: 'off' })).toMatchObject({ verdict: 'ask' });
    });

    test('variables of its own are shown in front, ask, and can not be covered by an "always"', async () => {
      const effect = await effectOf('ls', { env: { A: "it's", B: '' } });
      expect(effect).toMatchObject({ command: "A='it'\\''s' B='' ls", verdict: 'ask' });
      expect(effect).not.toHaveProperty('pattern');
      await expect(effectOf('ls', { env: { LD_PRELOAD: 'x' } })).rejects.toMatchObject({
        code: 'env_forbidden',
      });
      await expect(effectOf('ls', { env: { PATH: 'x' } })).rejects.toMatchObject({ code: 'env_forbidden' });
    });

    test('it runs only in folders of the workspace', async () => {
      await mkdir(join(world.root, 'src'));
      expect(await effectOf('ls', { workdir: 'src' })).toMatchObject({ workdir: join(world.root, 'src') });
      await expect(effectOf('ls', { workdir: '..' })).rejects.toMatchObject({ code: 'path_outside' });
      await expect(effectOf('ls', { workdir: '/etc' })).rejects.toMatchObject({ code: 'path_outside' });
      await expect(effectOf('ls', { workdir: 'scr' })).rejects.toMatchObject({ code: 'path_not_found' });
      await symlink('/etc', join(world.root, 'link'));
      await expect(effectOf('ls', { workdir: 'link' })).rejects.toMatchObject({ code: 'path_link' });
    });

    test("another host than the one commands run on is refused with upstream's words", async () => {
      await expect(effectOf('ls', { host: 'sandbox' })).rejects.toMatchObject({
        code: 'exec_host',
        message: 'exec host not allowed (requested sandbox; configure tools.exec.host=sandbox to allow).',
      });
      for (const host of ['local', 'gateway'])
        expect(await effectOf('ls', { host })).toMatchObject({ host: 'local' });
      for (const asked of [{ host: 'node' }, { host: 'node', node: 'pi' }, { node: 'pi' }])
        await expect(effectOf('ls', asked)).rejects.toMatchObject({
          code: 'exec_host',
          message:
            'exec host not allowed (requested node): there are no nodes here: commands run on this machine or in the sandbox.',
        });
    });

    test('where commands can not run the tool is hidden with the reason, and a call fails with it', async () => {
      expect(world.exec.unavailable?.()).toBeUndefined();
      world.operations = { unavailable: 'Docker does not answer' };
      expect(world.exec.unavailable?.()).toBe('Docker does not answer');
      await expect(effectOf('ls')).rejects.toMatchObject({
        code: 'exec_unavailable',
        message: "Commands can't run: Docker does not answer.",
      });
    });
  });

  describe('running', () => {
    test('gives output, exit code, time, host and whether a shell was there', async () => {
      const result = await exec('echo hello');
      expect(textOf(result)).toBe('hello\n\n[Exit code 0 after 0.0 s, on this machine, without a shell.]');
      expect(result.isError).toBeUndefined();
      expect(result.details).toEqual({
        status: 'completed',
        command: 'echo hello',
        workdir: world.root,
        host: 'local',
        withoutShell: true,
        exitCode: 0,
        durationMs: 0,
      });
      expect(textOf(await exec('echo $((1+1))'))).toBe(
        '2\n\n[Exit code 0 after 0.0 s, on this machine, by a shell.]',
      );
    });

    test('what comes up only after a cancel is ended, in the background too', async () => {
      const controller = new AbortController();
      const { operations } = world;
      if (!('start' in operations)) throw new Error('commands run here');
      world.operations = {
        ...operations,
        async start(request: ExecRequest) {
          const command = await operations.start(request);
          controller.abort();
          return command;
        },
      };
      const call = world.call(
        'exec',
        { command: 'sleep 600', background: true },
        { signal: controller.signal },
      );
      await expect(call).rejects.toMatchObject({ code: 'cancelled' });
      expect(world.jobs.list().map((job) => job.end()?.cause)).toEqual(['killed']);
    });

    test('a failing command is an error with its output', async () => {
      const result = await exec('sh -c "echo oops >&2; exit 3"');
      expect(textOf(result)).toContain('oops\n\n[Exit code 3 after');
      expect(result).toMatchObject({ isError: true, details: { status: 'failed', exitCode: 3 } });
      expect(textOf(await exec('true'))).toContain('[No output.]');
    });

    test('it gets the environment without secrets and with what the call adds, in its folder', async () => {
      await mkdir(join(world.root, 'src'));
      const text = textOf(
        await exec('sh -c "pwd; echo $A-$API_TOKEN-"', { env: { A: '1' }, workdir: 'src' }),
      );
      expect(text).toContain(`${world.root}/src\n1--\n`);
    });

    test('what is asked of a sandbox is only what the call adds, never the environment of this machine', async () => {
      let seen: ExecRequest | undefined;
      const local = world.operations;
      if ('unavailable' in local) throw new Error('no operations');
      world.operations = {
        ...local,
        host: 'sandbox',
        start: (request) => {
          seen = request;
          return local.start({ ...request, env: { PATH: process.env['PATH'] ?? '' } });
        },
      };
      const result = await exec('echo in', { env: { A: '1' } });
      const names = Object.keys(seen?.env ?? {});
      expect(names.filter((name) => !name.startsWith('GIT_CONFIG_'))).toEqual(['A']);
      expect(textOf(result)).toContain('in the sandbox');
      expect(result.details).toMatchObject({ host: 'sandbox' });
    });

    test('terminal sequences and drawn-over lines do not reach the model', async () => {
      const result = await exec("printf '\\033[31mred\\033[0m\\r10%%\\r100%%\\n'");
      expect(textOf(result)).toMatch(/^100%\n/u);
    });

    test('of much output the first and the last are given, and the note leads to the rest', async () => {
      const result = await exec('seq 1 5000');
      const text = textOf(result);
      expect(text.length).toBeLessThanOrEqual(4_000);
      expect(text).toMatch(/^1\n2\n/u);
      expect(text).toContain('\n5000\n\n[Exit code 0');
      const [, sessionId = '', offset = ''] = /"sessionId":"([^"]+)","offset":(\d+)/u.exec(text) ?? [];
      expect(text).toContain(`\n${Number(offset) - 1}\n\n[About`);
      const rest = textOf(
        await world.call('process', { action: 'log', sessionId, offset: Number(offset), limit: 3 }),
      );
      expect(rest.split('\n').slice(0, 3)).toEqual([0, 1, 2].map((at) => String(Number(offset) + at)));
    });

    test('what was shown whole is not kept', async () => {
      await exec('echo hello');
      expect(world.jobs.list()).toEqual([]);
    });

    test('a command that runs longer than it is waited for goes on in the background', async () => {
      const running = exec('sh -c "echo up; exec sleep 600"', { yieldMs: 5_000 });
      const job = await world.started();
      await said(job, 'up');
      world.clock.advance(5_000);
      const result = await running;
      expect(textOf(result)).toContain(
        `up\n\n[Running in the background as ${job.id}, on this machine, without a shell.`,
      );
      expect(result).toMatchObject({ details: { status: 'running', sessionId: job.id } });
      expect(job.end()).toBeUndefined();
      expect(job.takeNews().text).toBe('');
    });

    test('background: true does not wait, and gives it an input', async () => {
      const result = await exec('cat', { background: true });
      expect(result.details).toMatchObject({ status: 'running' });
      const job = await world.started();
      await job.write('hi\n');
      await said(job, 'hi');
    });

    test('one in the foreground has an empty input', async () => {
      expect(textOf(await exec('cat'))).toContain('[No output.]');
    });

    test('its time is up: it is ended, and the result says so', async () => {
      const running = exec('sh -c "echo up; exec sleep 600"', { timeout: 5, yieldMs: 60_000 });
      await said(await world.started(), 'up');
      world.clock.advance(5_000);
      const result = await running;
      expect(textOf(result)).toContain('up\n\n[Ended by SIGTERM because its time was up after 5.0 s');
      expect(result).toMatchObject({ isError: true, details: { status: 'timeout', signal: 'SIGTERM' } });
    });

    test('no call can ask for more time than the config gives', async () => {
      await world.close();
      world = await createExecWorld({ maxSeconds: () => 3 });
      const running = exec('sh -c "echo up; exec sleep 600"', { timeout: 500, yieldMs: 60_000 });
      await said(await world.started(), 'up');
      world.clock.advance(3_000);
      expect((await running).details).toMatchObject({ status: 'timeout', durationMs: 3_000 });
    });

    test('a cancel ends a command in the foreground, one in the background goes on', async () => {
      await exec('sleep 600', { background: true });
      const background = await world.started();
      const abort = new AbortController();
      const running = world.call(
        'exec',
        { command: 'sh -c "echo up; exec sleep 600"' },
        { signal: abort.signal },
      );
      const foreground = await world.started(2);
      await said(foreground, 'up');
      abort.abort();
      await expect(running).rejects.toMatchObject({ code: 'cancelled' });
      expect(foreground.end()).toMatchObject({ cause: 'killed' });
      expect(background.end()).toBeUndefined();
    });

    test('a cancel before it starts starts nothing', async () => {
      const abort = new AbortController();
      abort.abort();
      await expect(
        world.call('exec', { command: 'touch evil' }, { signal: abort.signal }),
      ).rejects.toMatchObject({
        code: 'cancelled',
      });
      expect(world.jobs.list()).toEqual([]);
    });

    test('what it says is shown while it runs, not more often than five times a second, and never after the end', async () => {
      const updates: string[] = [];
      await exec('mkfifo go');
      const running = world.call(
        'exec',
        { command: 'sh -c "echo one; echo two; read x < go; echo three"' },
        { onUpdate: (partial) => void updates.push(textOf(partial)) },
      );
      const job = await world.started();
      await said(job, 'two');
      expect(updates).toEqual([]);
      world.clock.advance(200);
      expect(updates).toEqual(['one\ntwo']);
      await exec('sh -c "echo x > go"');
      await running;
      world.clock.advance(10_000);
      expect(updates).toEqual(['one\ntwo']);
    });

    test('what the deny list names is not run, also where it was named only after the question', async () => {
      const prepared = await world.prepare('exec', { command: 'touch evil' });
      world.rules.deny = ['touch'];
      await expect(prepared.run(testRun())).rejects.toMatchObject({ code: 'exec_denied' });
      expect(world.jobs.list()).toEqual([]);
    });

    test('a folder that has become a link in the meantime is not used', async () => {
      await mkdir(join(world.root, 'src'));
      const prepared = await world.prepare('exec', { command: 'ls', workdir: 'src' });
      await rename(join(world.root, 'src'), join(world.root, 'old'));
      await symlink('old', join(world.root, 'src'));
      await expect(prepared.run(testRun())).rejects.toMatchObject({ code: 'path_moved' });
    });

    test('a program of the workspace does not stand in for an allowed one', async () => {
      await writeFile(join(world.root, 'ls'), '#!/bin/sh\necho evil\n', { mode: 0o755 });
      expect(textOf(await exec('ls'))).toMatch(/^ls\n/u);
      expect(textOf(await exec('ls *'))).toMatch(/^ls\n/u);
    });
  });

  describe('where PATH leads into the workspace', () => {
    let bin: string;
    let outside: string;
    let path: readonly string[];
    const program = async (folder: string, name: string, text: string): Promise<void> =>
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

    beforeEach(async () => {
      await world.close();
      world = await createExecWorld({
        baseEnv: () => ({ PATH: [...path, process.env['PATH'] ?? ''].join(':') }),
      });
      bin = join(world.root, 'node_modules', '.bin');
      outside = join(world.root, '..', 'bin');
      for (const folder of [bin, outside]) await mkdir(folder, { recursive: true });
      path = [bin, outside];
    });

    test.each(['ls', 'ls *'])('an unasked %s is the machine’s own', async (line) => {
      await program(bin, 'ls', 'echo evil');
      await writeFile(join(world.root, 'log.md'), '');
      expect(await effectOf(line)).toMatchObject({ verdict: 'allowed' });
      const result = await world.call('exec', { command: line }, { consent: 'free' });
      expect(textOf(result)).not.toContain('evil');
      expect(textOf(result)).toContain('log.md');
    });

    test('also by a link to a folder, or to a program', async () => {
      await program(bin, 'ls', 'echo evil');
      await symlink(bin, join(outside, 'link'));
      path = [join(outside, 'link')];
      expect(textOf(await exec('ls'))).not.toContain('evil');

      await symlink(join(bin, 'ls'), join(outside, 'ls'));
      path = [outside];
      const reason = `The program 'ls' is a file of the workspace: ${join(outside, 'ls')}.`;
      expect(await effectOf('ls')).toMatchObject({ verdict: 'ask', reason });
    });

    test('what its programs look up is not the workspace’s either', async () => {
      await program(outside, 'outer', 'inner');
      await program(bin, 'inner', 'echo evil');
      world.rules.allow = ['outer'];
      expect(textOf(await world.call('exec', { command: 'outer' }, { consent: 'free' }))).not.toContain(
        'evil',
      );
    });

    test('a program of the workspace asks, whoever allowed it, and no "always" covers it', async () => {
      await program(bin, 'tool', 'echo tool');
      await program(world.root, 'run', 'echo run');
      world.rules.allow = ['tool', './run'];
      for (const line of ['tool', './run', 'ls && tool']) {
        const effect = await effectOf(line);
        expect(effect).toMatchObject({ verdict: 'ask' });
        expect(effect).not.toHaveProperty('pattern');
        expect(effect).toHaveProperty('reason', expect.stringContaining('is a file of the workspace'));
      }
      expect(await effectOf('tool', { ask: 'off' })).toMatchObject({ verdict: 'ask' });
    });

    test('a line that a person was asked about runs as in their terminal, one of an earlier "always" does not', async () => {
      await program(outside, 'tool', 'echo mine');
      expect(await effectOf('tool')).toMatchObject({ verdict: 'ask', patterns: ['tool'] });
      await program(bin, 'tool', 'echo evil');
      expect(await effectOf('tool')).toMatchObject({ verdict: 'ask', patterns: ['tool'] });
      expect(textOf(await world.call('exec', { command: 'tool' }, { consent: 'always' }))).toContain('mine');
      expect(textOf(await world.call('exec', { command: 'tool' }, { consent: 'person' }))).toContain('evil');
    });
  });
});
