import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withGitGuard } from './withGitGuard.ts';

it('adds to what the environment says already', () => {
  const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'A' };
  expect(withGitGuard(own)).toEqual({
    ...own,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_1: 'safe.bareRepository',
    GIT_CONFIG_VALUE_1: 'explicit',
  });
  expect(withGitGuard({ GIT_CONFIG_COUNT: 'x' })).toEqual({ GIT_CONFIG_COUNT: 'x' });
});

it('keeps git status from running what files with harmless names say', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-bare-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['objects', 'refs']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(
    join(folder, 'config'),
    `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ${folder}\nfsmonitor = "touch ${folder}/ran; false"\n`,
  );
  const run = (env: Readonly<Record<string, string>>): unknown =>
    execFileSync('git', ['status'], { cwd: folder, env, stdio: 'pipe' });
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  expect(() => run(withGitGuard(env))).toThrow('safe.bareRepository');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  run(env);
  expect(existsSync(join(folder, 'ran')), 'without the guard it runs').toBe(true);
});
