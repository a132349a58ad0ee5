import { describe, expect, test } from 'vitest';
import { createHasMarkedProcess, createKillMarked, createNoteDescendants } from './nodeProcessGroups.ts';

const stat = (pid: number, group: number, name = 'sh'): string =>
  `${pid} (${name}) S 1 ${group} ${group} 0 -1`;

/** `/proc` with processes of these groups and environments. */
function world(
  processes: Readonly<Record<string, { readonly stat: string; readonly environ?: string }>>,
  parts: { readonly platform?: NodeJS.Platform; readonly mayExist?: boolean } = {},
) {
  return createHasMarkedProcess({
    platform: parts.platform ?? 'linux',
    mayExist: () => parts.mayExist ?? true,
    listProcesses: async () => ['self', 'meminfo', ...Object.keys(processes)],
    readText: async (path) => {
      const [, , pid = '', file] = path.split('/');
      return file === 'stat' ? processes[pid]?.stat : processes[pid]?.environ;
    },
  });
}

describe('a marked process of a group', () => {
  const environ = 'A=1\0MARK=w\0B=2\0';

  test('is found by group and variable, its leader there or not', async () => {
    expect(await world({ 7: { stat: stat(7, 5), environ } })(5, 'MARK=w')).toBe(true);
    expect(await world({ 7: { stat: stat(7, 5, 'a) R 9 (b'), environ } })(5, 'MARK=w')).toBe(true);
  });

  test('is no other process of the group, and none of another group', async () => {
    expect(await world({ 7: { stat: stat(7, 5), environ: 'MARK=w2\0XMARK=w\0' } })(5, 'MARK=w')).toBe(false);
    expect(await world({ 5: { stat: stat(5, 6), environ } })(5, 'MARK=w')).toBe(false);
    expect(await world({ 7: { stat: stat(7, 5) } })(5, 'MARK=w')).toBe(false);
    expect(await world({})(5, 'MARK=w')).toBe(false);
  });

  test('is not looked for where the group is empty or the system does not tell', async () => {
    const processes = { 7: { stat: stat(7, 5), environ } };
    expect(await world(processes, { mayExist: false })(5, 'MARK=w')).toBe(false);
    expect(await world(processes, { platform: 'darwin' })(5, 'MARK=w')).toBe(false);
  });
});

describe('ending what has a mark', () => {
  const ended = async (
    environments: Readonly<Record<string, string>>,
    platform: NodeJS.Platform = 'linux',
    names: Readonly<Record<string, string>> = {},
  ): Promise<readonly number[]> => {
    const left = new Map(Object.entries(environments));
    const killed: number[] = [];
    await createKillMarked({
      platform,
      listProcesses: async () => ['self', ...left.keys()],
      readText: async (path) => {
        const [, , pid = '', file] = path.split('/');
        return file === 'comm' ? names[pid] : left.get(pid);
      },
      kill: (pid) => {
        left.delete(String(pid));
        // A child that was started in between.
        if (killed.length === 0) left.set('99', 'MARK=w\0');
        killed.push(pid);
      },
    })('MARK=w');
    return killed;
  };

  test('ends each that has it in whatever group, also one that was started meanwhile, and no other', async () => {
    const environments = { 7: 'A=1\0MARK=w\0', 8: 'MARK=w\0', 9: 'MARK=w2\0XMARK=w\0' };
    expect(await ended(environments)).toEqual([7, 8, 99]);
  });

  test('spares the browser that a sign-in has started', async () => {
    const environments = { 7: 'MARK=w\0', 8: 'MARK=w\0' };
    expect(await ended(environments, 'linux', { 7: 'firefox\n', 8: 'sh\n' })).toEqual([8, 99]);
  });

  test('ends none where the system does not tell', async () => {
    expect(await ended({ 7: 'MARK=w\0' }, 'darwin')).toEqual([]);
  });
});

describe('ending what descends from a process', () => {
  const line = (pid: number, parent: number, started: number): string =>
    `${pid} (a) b) S ${parent} ${pid} ${pid} ${'0 '.repeat(15)}${started} 0`;
  const ended = async (later: Readonly<Record<string, string>> = {}, platform: NodeJS.Platform = 'linux') => {
    let stats: Readonly<Record<string, string>> = {
      ...{ 5: line(5, 1, 10), 6: line(6, 5, 11), 7: line(7, 6, 12), 8: line(8, 1, 13), 9: line(9, 9, 14) },
    };
    const killed: number[] = [];
    const endThem = await createNoteDescendants({
      platform,
      listProcesses: async () => ['self', ...Object.keys(stats)],
      readText: async (path) => {
        const [, , pid = '', file] = path.split('/');
        return file === 'comm' ? 'node' : stats[pid];
      },
      kill: (pid) => void killed.push(pid),
    })(5);
    stats = { ...stats, ...later };
    await endThem();
    return killed;
  };

  test('ends children and their children, also where their parents are gone by then, and no other', async () => {
    expect(await ended({ 5: '', 6: line(6, 1, 11), 7: line(7, 1, 12) })).toEqual([6, 7]);
  });

  test('ends none that has ended, nor another process with its number', async () => {
    expect(await ended({ 6: '', 7: line(7, 1, 99) })).toEqual([]);
  });

  test('ends none where the system does not tell', async () => {
    expect(await ended({}, 'darwin')).toEqual([]);
  });
});
