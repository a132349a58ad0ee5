import { describe, expect, test } from 'vitest';
import { createProcessTimes, type ProcessTimesDeps } from './nodeProcessTimes.ts';

function times(parts: Partial<ProcessTimesDeps>): (pid: number) => Promise<string | undefined> {
  return createProcessTimes({
    platform: 'linux',
    readText: async () => undefined,
    run: async () => undefined,
    systemRoot: 'C:\\Windows',
    ...parts,
  });
}

const stat = (name: string, state = 'S'): string =>
  `42 (${name}) ${state} 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 1`;

describe('on Linux', () => {
  const withStat = (text: string | undefined, boot = 'b1') =>
    times({ readText: async (path) => (path === '/proc/42/stat' ? text : `${boot}\n`) });

  test('it is the boot and the tick', async () => {
    expect(await withStat(stat('node'))(42)).toBe('b1:98765');
    expect(await withStat(stat('node'), 'b2')(42)).toBe('b2:98765');
  });

  test('a name with blanks and parentheses shifts nothing', async () => {
    expect(await withStat(stat('a) R 1 (b'))(42)).toBe('b1:98765');
  });

  test('one that has ended and only waits to be collected has none', async () => {
    expect(await withStat(stat('node', 'Z'))(42)).toBeUndefined();
    expect(await withStat(undefined)(42)).toBeUndefined();
  });
});

describe('on other platforms', () => {
  test('macOS asks ps, Windows PowerShell, both by their whole path', async () => {
    const calls: string[] = [];
    const run = async (file: string, args: readonly string[]) => {
      calls.push([file, ...args].join(' '));
      return ' Sat Nov 21 14:00:00 2026\n';
    };
    expect(await times({ platform: 'darwin', run })(42)).toBe('Sat Nov 21 14:00:00 2026');
    expect(await times({ platform: 'win32', run })(42)).toBe('Sat Nov 21 14:00:00 2026');
    expect(calls).toEqual([
      '/bin/ps -o lstart= -p 42',
      'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe -NoProfile -NonInteractive -Command (Get-Process -Id 42).StartTime.ToUniversalTime().Ticks',
    ]);
  });

  test('nothing there or a tool that fails is no time', async () => {
    expect(await times({ platform: 'darwin', run: async () => '\n' })(42)).toBeUndefined();
    expect(await times({ platform: 'win32' })(42)).toBeUndefined();
  });
});
