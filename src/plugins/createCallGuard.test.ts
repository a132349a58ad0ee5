import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createCallGuard, type CallGuard } from './createCallGuard.ts';

let stateDir: string;
const reported: Diagnostic[] = [];
const clock = createManualClock();
const deadPid = 4_000_000;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'pincer-calls-'));
  reported.length = 0;
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const guard = (): CallGuard =>
  createCallGuard({
    clock,
    stateDir,
    report: (each) => void reported.push(each),
    isAlive: (pid) => pid !== deadPid,
  });
const files = () => readdir(join(stateDir, 'calls'));
const readOwn = async (): Promise<{ calls: { what: string; waits?: boolean }[] }> => {
  const [name = ''] = await files();
  return JSON.parse(await readFile(join(stateDir, 'calls', name), 'utf8')) as never;
};

/** What a process leaves that is killed while these calls are open, the last one innermost. */
async function leave(
  calls: readonly { readonly what: string; readonly waits?: boolean; readonly at?: number }[],
  { pid = deadPid, content = 'v1' } = {},
): Promise<void> {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  await mkdir(join(stateDir, 'calls'), { recursive: true });
  const left = { pid, origin: 1, calls: calls.map((each) => ({ id: 'p', hash, at: clock.now(), ...each })) };
  await writeFile(join(stateDir, 'calls', `${randomUUID()}.json`), JSON.stringify(left));
}

it('has a call on disk while it runs, and not after it', async () => {
  const own = guard();
  const call = own.callsOf('p', 'v1');
  const during = call('a hook', () => readOwn());
  expect((await during).calls).toMatchObject([{ id: 'p', what: 'a hook' }]);
  expect((await readOwn()).calls).toEqual([]);
  expect(() =>
    call('a hook', () => {
      throw new Error('its own');
    }),
  ).toThrow('its own');
  expect((await readOwn()).calls).toEqual([]);
  own.close();
  expect(await files()).toEqual([]);
});

it('takes the mark of a call that waits away after a second: the event loop turns', async () => {
  const own = guard();
  const never = own.callsOf('p', 'v1')('a tool', () => new Promise(() => undefined));
  expect(never).toBeInstanceOf(Promise);
  expect((await readOwn()).calls).toMatchObject([{ what: 'a tool', waits: true }]);
  clock.advance(1_000);
  expect((await readOwn()).calls).toEqual([]);
  own.close();
});

it('makes a call no more that did not come back two times, says so, and makes it again when that is asked for', async () => {
  await leave([{ what: 'a hook' }]);
  expect(guard().callsOf('p', 'v1')('another', () => 1)).toBe(1);
  await leave([{ what: 'a hook' }]);
  const own = guard();
  const call = own.callsOf('p', 'v1');
  expect(() => call('a hook', () => 1)).toThrow('plugin p did not return from a hook the last two times');
  expect(reported).toMatchObject([
    { code: 'plugin_call_hung', fixes: [{ kind: 'reload-plugin', pluginId: 'p' }] },
  ]);
  expect(call('another', () => 1)).toBe(1);
  expect(own.callsOf('p', 'v2')('a hook', () => 1)).toBe(1);
  expect(own.callsOf('q', 'v1')('a hook', () => 1)).toBe(1);
  own.forgive('q');
  expect(() => call('a hook', () => 1)).toThrow('did not return');
  own.forgive('p');
  expect(call('a hook', () => 1)).toBe(1);
  expect(guard().callsOf('p', 'v1')('a hook', () => 1)).toBe(1);
});

it('forgets what was left of a call once it has come back', async () => {
  await leave([{ what: 'a hook' }]);
  expect(guard().callsOf('p', 'v1')('a hook', () => 1)).toBe(1);
  await leave([{ what: 'a hook' }]);
  expect(guard().callsOf('p', 'v1')('a hook', () => 1)).toBe(1);
});

it('blames the innermost call that had not returned, and those that wait only where there is none', async () => {
  for (let time = 0; time < 2; time += 1) {
    await leave([{ what: 'outer' }, { what: 'waiting', waits: true }, { what: 'inner' }]);
    await leave([
      { what: 'first', waits: true },
      { what: 'second', waits: true },
    ]);
  }
  const call = guard().callsOf('p', 'v1');
  const isSkipped = (what: string): boolean => {
    try {
      return call(what, () => false);
    } catch {
      return true;
    }
  };
  expect(['outer', 'waiting', 'inner', 'first', 'second'].map(isSkipped)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

it('does not blame what another window is at, unless for longer than a minute and a half', async () => {
  for (let time = 0; time < 2; time += 1) await leave([{ what: 'a hook' }], { pid: process.ppid });
  expect(guard().callsOf('p', 'v1')('a hook', () => 1)).toBe(1);
  clock.advance(100_000);
  expect(() => guard().callsOf('p', 'v1')('a hook', () => 1)).toThrow('did not return');
});

it('goes on without marks where they can not be written, and says so once', async () => {
  await rm(stateDir, { recursive: true });
  await writeFile(stateDir, '');
  const call = guard().callsOf('p', 'v1');
  expect([call('a hook', () => 1), call('a hook', () => 2)]).toEqual([1, 2]);
  expect(reported).toMatchObject([{ code: 'plugin_marks_unwritten' }]);
});
