import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { makePlace, type HostilePlace } from '../samples/unasked/hostileRepositories.ts';
import { it } from './withWorkbench.ts';

let folder: string;
let place: HostilePlace;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-hostile-')));
  place = await makePlace(folder);
});
afterEach(() => rm(folder, { recursive: true }));

it('runs nothing of a hostile repository that was opened and trusted: what needs no question goes around it, what it can reach asks', async ({
  withWorkbench,
}) => {
  const { git, write, root, canary } = place;
  for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand'])
    git('config', key, canary);
  await write('node_modules/.bin/git', `#!/bin/sh\n'${canary}'\n`);
  await chmod(join(root, 'node_modules/.bin/git'), 0o755);
  await write('src/a.ts', 'export const a = 2;\n');
  // VS Code's own Git runs what a repository names, and is out of reach.
  const files = { '.vscode/settings.json': '{ "git.enabled": false }' };
  const hasRun = (): boolean => existsSync(`${canary}.ran`);

  await withWorkbench(
    'hostile-repository',
    { workspace: { copyOf: root, files }, trust: 'untrusted' },
    async (bench) => {
      const { chat, screenshot, workspace } = bench;
      await bench.trust();
      await chat.send('/tool exec {"command":"git status"}');
      await chat.waitForAnswer(/modified:\s+src\/a\.ts/u);
      await chat.send('/tool exec {"command":"git diff"}');
      await chat.waitForAnswer(/\+export\sconst\sa/u);
      await chat.send('/tool exec {"command":"git log -1"}');
      await chat.waitForAnswer(/begin/u);
      expect(hasRun()).toBe(false);
      await screenshot('c-hostile-repository');

      execFileSync('git', ['config', 'diff.external', canary], { cwd: workspace });
      await chat.send('/tool exec {"command":"git diff"}');
      await chat.waitForText(/has\sdiff\.external,\swhich/u);
      await screenshot('c-hostile-repository-asks');
      await chat.decide('Deny');
      await chat.waitForAnswer('You denied exec git diff');
      expect(hasRun()).toBe(false);

      // It would have: whoever goes to the folder and asks Git runs it.
      execFileSync('git', ['status'], { cwd: workspace, stdio: 'ignore' });
      expect(hasRun()).toBe(true);
    },
  );
});
