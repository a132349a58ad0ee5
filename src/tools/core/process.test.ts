import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testRun, toolCallOf } from '../../../test/builders/callContexts.ts';
import { createExecWorld, said, type ExecWorld } from '../../../test/builders/createExecWorld.ts';
import { textOf } from '../../../test/samples/tools/createTestWorkspace.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import type { Job } from '../../sandbox/backgroundJob.ts';

let world: ExecWorld;
beforeEach(async () => {
  world = await createExecWorld();
});
afterEach(() => world.close());

const call = (action: string, parts: object = {}): Promise<ToolResult> =>
  world.call('process', { action, ...parts });
const text = async (action: string, parts: object = {}): Promise<string> => textOf(await call(action, parts));

async function start(command: string): Promise<Job> {
  await world.call('exec', { command, background: true });
  return await world.started();
}

describe.skipIf(process.platform === 'win32')('process', () => {
  test('list tells of each command of this session how it stands', async () => {
    expect(await text('list')).toBe('[This session has no commands.]');
    const first = await start('sleep 600');
    await first.stop();
    const second = await start('cat');
    world.clock.advance(65_000);
    expect(await text('list')).toBe(
      `${first.id}  Ended by SIGTERM because it was killed after 0.0 s, on this machine, without a shell  sleep 600\n` +
        `${second.id}  running for 65 s  cat`,
    );
    const theirs = await world.prepare('process', { action: 'list' }, toolCallOf({ sessionId: 'other' }));
    expect(textOf(await theirs.run(testRun()))).toBe('[This session has no commands.]');
  });

  test('a command of another session can not be reached', async () => {
    const { id } = await start('cat');
    for (const action of ['poll', 'log', 'write', 'kill', 'clear', 'remove']) {
      const params = { action, sessionId: id, data: 'x' };
      await expect(
        world.prepare('process', params, toolCallOf({ sessionId: 'other' })),
      ).rejects.toMatchObject({
        code: 'job_unknown',
        hint: 'This session has no commands.',
      });
    }
    await expect(call('poll', { sessionId: 'no-such' })).rejects.toMatchObject({ hint: `There is: ${id}.` });
    await expect(call('poll')).rejects.toMatchObject({ message: 'This action needs a sessionId.' });
  });

  test('poll gives what is new, and how it ended', async () => {
    const job = await start('sh -c "echo one; read x; echo two; exit 2"');
    const { id: sessionId } = job;
    await said(job, 'one');
    expect(await text('poll', { sessionId })).toBe('one\n\n[Running for 0.0 s.]');
    expect(await text('poll', { sessionId })).toBe('[Nothing new.]\n\n[Running for 0.0 s.]');
    await call('write', { sessionId, data: 'go\n' });
    await job.ended;
    expect(await text('poll', { sessionId })).toContain('two\n\n[Exit code 2 after');
  });

  test('poll waits for something new, for the end, for its time or for a cancel, whichever comes first', async () => {
    const job = await start('cat');
    const params = { sessionId: job.id, timeout: 5_000 };
    const news = text('poll', params);
    await job.write('news\n');
    expect(await news).toContain('news');
    const nothing = call('poll', params);
    await world.prepare('process', { action: 'list' });
    world.clock.advance(5_000);
    expect(textOf(await nothing)).toContain('[Nothing new.]');
    const abort = new AbortController();
    const cancelled = world.call('process', { action: 'poll', ...params }, { signal: abort.signal });
    await world.prepare('process', { action: 'list' });
    abort.abort();
    await cancelled;
    const end = call('poll', params);
    job.endInput();
    expect(textOf(await end)).toContain('Exit code 0');
  });

  test('poll of too much gives the last and says how much it left out', async () => {
    const job = await start('seq 1 20000');
    await job.ended;
    const shown = await text('poll', { sessionId: job.id });
    expect(shown.length).toBeLessThanOrEqual(4_000);
    expect(shown).toMatch(/^\[\d+ characters before this were left out; log has them\.\]/u);
    expect(shown).toContain('20000\n\n[Exit code 0');
  });

  test('log gives lines by number, without them the last', async () => {
    const job = await start('seq 1 1000');
    await job.ended;
    const { id: sessionId } = job;
    expect(await text('log', { sessionId, offset: 5, limit: 2 })).toContain(
      '5\n6\n\n[Lines 5 to 6 of 1000. Read on with offset 7. Exit',
    );
    expect(await text('log', { sessionId, limit: 2 })).toContain(
      '999\n1000\n\n[Lines 999 to 1000 of 1000. Exit',
    );
    expect(await text('log', { sessionId })).toContain('[Lines 801 to 1000 of 1000.');
    expect(await text('log', { sessionId, offset: 2_000 })).toContain('[There are only 1000 lines.');
  });

  test('log of long lines stays within a result and still ends with the last', async () => {
    const job = await start(`sh -c 'for i in 1 2 3 4 5 6 7 8 9; do printf "%0900d\\n" $i; done'`);
    await job.ended;
    const shown = await text('log', { sessionId: job.id });
    expect(shown.length).toBeLessThanOrEqual(4_000);
    expect(shown).toContain('0009\n\n[Lines 7 to 9 of 9.');
  });

  test('typing into a command asks like a command, whatever the allow list covers, and shows what is typed into what', async () => {
    const job = await start('bash');
    const write = (data: string) => world.prepare('process', { action: 'write', sessionId: job.id, data });
    expect((await write('ls\n')).effects).toEqual([
      {
        kind: 'execute',
        command: `type into ${job.id}: ls\n`,
        workdir: world.root,
        host: 'local',
        verdict: 'ask',
        reason: 'It is typed into "bash".',
      },
    ]);
    expect((await write('rm -rf /\n')).effects).toMatchObject([{ verdict: 'denied' }]);
    expect(job.output().total).toBe(0);
  });

  test('input ends with eof, and what takes none refuses it', async () => {
    const job = await start('cat');
    await call('write', { sessionId: job.id, data: 'last\n', eof: true });
    expect(await job.ended).toMatchObject({ code: 0 });
    expect(job.output().text).toBe('last\n');
    await expect(call('write', { sessionId: job.id, data: 'x' })).rejects.toMatchObject({
      code: 'process_input_closed',
    });
    const other = await start('cat');
    await expect(call('write', { sessionId: other.id })).rejects.toMatchObject({ code: 'params_invalid' });
  });

  test('kill ends it, clear forgets only what has ended, remove does both', async () => {
    const job = await start('sleep 600');
    const { id: sessionId } = job;
    await expect(call('clear', { sessionId })).rejects.toMatchObject({ code: 'job_running' });
    expect(await text('kill', { sessionId })).toContain('because it was killed');
    expect(world.jobs.list()).toEqual([job]);
    await call('clear', { sessionId });
    expect(world.jobs.list()).toEqual([]);
    const other = await start('sleep 600');
    await call('remove', { sessionId: other.id });
    expect(other.end()).toMatchObject({ cause: 'killed' });
    expect(world.jobs.list()).toEqual([]);
  });

  test('nothing but typing has an effect that asks', async () => {
    const job = await start('cat');
    for (const action of ['list', 'poll', 'log', 'kill', 'remove']) {
      expect((await world.prepare('process', { action, sessionId: job.id })).effects).toEqual([]);
    }
  });
});
