import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { Bind, BindRules } from './bindTypes.ts';
import { checkBind } from './checkBind.ts';

const rules: BindRules = {
  platform: 'linux',
  home: '/home/u',
  roots: ['/home/u/proj', '/data/shared'],
  reservedTargets: ['/workspace', '/agent'],
};
const disk = { realpath: (path: string) => Promise.resolve(posix.normalize(path)) };

async function reasonOf(text: string, others: readonly Bind[] = [], fs = disk): Promise<string> {
  const verdict = await checkBind(fs, text, rules, others);
  return verdict.ok ? `ok ${verdict.bind.source} ${verdict.bind.mode}` : verdict.fault.reason;
}

test.each([
  ['/home/u/proj/src:/src:ro', 'ok /home/u/proj/src ro'],
  ['/home/u/proj/src:/src', 'ok /home/u/proj/src rw'],
  ['/data/shared/:/data/', 'ok /data/shared/ rw'],
  ['/etc/passwd:/x', 'targets blocked path "/etc"'],
  ['/home:/x', 'covers blocked path "/home/u"'],
  ['/home/u/other:/x', 'outside allowed roots (/home/u/proj, /data/shared)'],
  ['/home/u/proj/.aws/x:/x:ro', 'targets blocked path ".aws"'],
  ['/home/u/proj/.git:/x:ro', 'ok /home/u/proj/.git ro'],
  ['/home/u/proj/.git/hooks:/x', 'makes ".git" writable'],
  ['/home/u/proj/src:/usr/bin', 'target is reserved: "/usr"'],
  ['/home/u/proj/src:/workspace/a', 'target is reserved: "/workspace"'],
  ['/home/u/proj/src:/a/../etc', 'the target leads up'],
  ['/home/u/proj/src,readonly:/x', 'characters that no plain path has'],
  ['vol:/x', 'not an absolute path of this machine'],
])('%s is %s', async (text, expected) => {
  expect(await reasonOf(text)).toContain(expected);
});

describe('the disk', () => {
  it('decides again, about where a source really lies', async () => {
    const links: Readonly<Record<string, string>> = { '/home/u/proj/door': '/home/u/.ssh' };
    const fs = { realpath: (path: string) => Promise.resolve(links[path] ?? path) };
    expect(await reasonOf('/home/u/proj/door:/x', [], fs)).toContain('/home/u/.ssh');
  });

  it('gives Docker the real place, so that it has no link to follow', async () => {
    const fs = { realpath: (path: string) => Promise.resolve(path.replace('/home/u/proj', '/data/shared')) };
    expect(await reasonOf('/home/u/proj/a:/x', [], fs)).toBe('ok /data/shared/a rw');
  });

  it('refuses a source that is not there', async () => {
    const fs = { realpath: () => Promise.reject(new PincerError('io_not_found', 'There is nothing.')) };
    expect(await reasonOf('/home/u/proj/a:/x', [], fs)).toContain("can't be resolved: There is nothing.");
  });
});

test.each([
  ['darwin', '/Users/u/proj/.v\u017Fcode:/x', 'writable'],
  ['darwin', '/users/U/PROJ/.GIT:/x', 'writable'],
  ['darwin', '/Users/u/proj/src:/x:ro', 'ok'],
  ['win32', 'C:\\Users\\u\\proj\\NUL:/x:ro', 'is a device'],
  ['win32', 'C:\\Users\\u\\proj\\com1.txt:/x:ro', 'is a device'],
  ['win32', 'C:\\Users\\u\\proj\\console:/x:ro', 'ok'],
] as const)('on %s %s is %s', async (platform, text, expected) => {
  const [home, root] = platform === 'win32' ? ['C:\\Users\\u', '\\proj'] : ['/Users/u', '/proj'];
  const verdict = await checkBind({ realpath: (path) => Promise.resolve(path) }, text, {
    ...rules,
    platform,
    home,
    roots: [home + root],
  });
  expect(verdict.ok ? 'ok' : verdict.fault.reason).toContain(expected);
});

test('two binds may not lie in each other, nor show one folder both ways', async () => {
  const shared: Bind = { source: '/data/shared', target: '/data', mode: 'ro' };
  expect(await reasonOf('/home/u/proj/a:/data/a:ro', [shared])).toContain('lie in each other');
  expect(await reasonOf('/data/shared/a:/x:rw', [shared])).toContain('one writable and one not');
  expect(await reasonOf('/home/u/proj/a:/x:rw', [shared])).toBe('ok /home/u/proj/a rw');
});

test('nothing outside the roots passes, however it is spelled', async () => {
  const name = fc.constantFrom('home', 'u', 'proj', 'data', 'shared', 'etc', '..', '.', '', '.ssh', 'x');
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 7 }), async (names) => {
      const verdict = await checkBind(disk, `/${names.join('/')}:/x:ro`, rules);
      if (verdict.ok) expect(verdict.bind.source).toMatch(/\/(?:proj|shared)(?:\/|$)/u);
      if (verdict.ok) expect(verdict.bind.source).not.toContain('.ssh');
    }),
    { numRuns: 2_000 },
  );
});
