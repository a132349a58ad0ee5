import { describe, expect, test } from 'vitest';
import type { FileStat } from '../host/ports.ts';
import { findProgram, withSafePath } from './findProgram.ts';

/** A disk of programs (true) and plain files (false). */
function disk(files: Readonly<Record<string, boolean>>) {
  return {
    stat: async (path: string): Promise<FileStat | undefined> => {
      const runs = files[path];
      if (runs === undefined) return undefined;
      return { kind: 'file', size: 1, mtimeMs: 0, links: 1, uid: 0, mode: runs ? 0o755 : 0o644 };
    },
  };
}

describe('on POSIX', () => {
  const find = (name: string, path: string, files: Readonly<Record<string, boolean>>) =>
    findProgram({ fs: disk(files), platform: 'linux', env: { PATH: path }, cwd: '/w' }, name);

  test('the first folder of PATH that has it as a program wins', async () => {
    const files = { '/a/git': false, '/b/git': true, '/c/git': true };
    expect(await find('git', '/a:/b:/c', files)).toBe('/b/git');
    expect(await find('hg', '/a:/b', files)).toBeUndefined();
    expect(await find('', '/a', files)).toBeUndefined();
  });

  test('the current folder is never searched, however PATH names it', async () => {
    const files = { '/w/git': true, '/w/bin/git': true, git: true };
    for (const path of ['', ':', '.', './bin', 'bin', '/w', '/w/', '/w/../w', '/x/../w']) {
      expect([path, await find('git', path, files)]).toEqual([path, undefined]);
    }
  });

  test('a name with a slash is a path from the folder it runs in', async () => {
    const files = { '/w/tools/run': true, '/opt/run': true, '/w/run': true };
    expect(await find('tools/run', '/opt', files)).toBe('/w/tools/run');
    expect(await find('./run', '', files)).toBe('/w/run');
    expect(await find('/opt/run', '', files)).toBe('/opt/run');
  });
});

describe('on Windows', () => {
  const find = (name: string, files: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const fs = disk(Object.fromEntries(files.map((each) => [each, true])));
    return findProgram(
      { fs, platform: 'win32', env: { Path: 'C:\\node;"C:\\git bin"', ...env }, cwd: 'C:\\w' },
      name,
    );
  };

  test('a name gets the extensions of programs, those of scripts for other hosts are left out', async () => {
    expect(await find('node', ['C:\\node\\node.exe'])).toBe('C:\\node\\node.exe');
    expect(await find('npm', ['C:\\node\\npm', 'C:\\node\\npm.cmd'])).toBe('C:\\node\\npm.cmd');
    expect(await find('git.exe', ['C:\\git bin\\git.exe'])).toBe('C:\\git bin\\git.exe');
    expect(await find('evil', ['C:\\node\\evil.js'], { PATHEXT: '.JS;.EXE' })).toBeUndefined();
  });

  test('the current folder is never searched', async () => {
    const files = ['C:\\w\\git.exe', 'git.exe', '.\\git.exe'];
    expect(await find('git', files)).toBeUndefined();
    expect(await find('git', files, { Path: '.;c:\\W;;w' })).toBeUndefined();
    expect(await find('.\\git', files)).toBe('C:\\w\\git.exe');
  });
});

test('the environment of a command names only folders that may be searched', () => {
  const linux = { platform: 'linux' as const, cwd: '/w' };
  expect(withSafePath({ ...linux, env: { PATH: ':/a:.:/w:/b', A: '1' } })).toEqual({ PATH: '/a:/b', A: '1' });
  expect(withSafePath({ ...linux, env: { PATH: '.' } })).toEqual({ PATH: '/nonexistent' });
  expect(withSafePath({ platform: 'win32', cwd: 'C:\\w', env: { Path: 'c:\\W;C:\\a' } })).toEqual({
    PATH: 'C:\\a',
    NoDefaultCurrentDirectoryInExePath: '1',
  });
});
