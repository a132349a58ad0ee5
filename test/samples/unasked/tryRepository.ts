import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { harmlessCommands } from '../../../src/shell/harmlessCommands.ts';
import { createExecWorld } from '../../builders/createExecWorld.ts';
import { makePlace, type HostilePlace } from './hostileRepositories.ts';

/** Every way in which Git runs without a question, and some more words for them. */
export const gitLines: readonly string[] = [
  ...Object.values(harmlessCommands).flatMap(({ obeys, example }) => (obeys === 'git' ? [example] : [])),
  'git diff',
  'git show',
  'git log -p',
  'git -C src status',
  'git blame src/a.ts',
  'git diff HEAD~0',
];

/** Runs what needs no question in a repository that `make` has made hostile; true where the program that it names has run. */
export async function isRunUnasked(make: (place: HostilePlace) => Promise<void>): Promise<boolean> {
  return await inPlace(async (place) => {
    await make(place);
    const world = await createExecWorld({
      layout: () => ({ roots: [place.root], platform: process.platform }),
    });
    try {
      for (const command of gitLines) {
        const [effect] = (await world.prepare('exec', { command })).effects;
        if (effect?.kind === 'execute' && effect.verdict === 'allowed') await world.call('exec', { command });
      }
    } finally {
      await world.close();
    }
    return hasRun(place);
  });
}

/** Whether the program runs where Git is left alone with the line `proof`: else the repository proves nothing. */
export async function isRunByGit(
  make: (place: HostilePlace) => Promise<void>,
  proof: string,
): Promise<boolean> {
  return await inPlace(async (place) => {
    await make(place);
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
    // Git may fail by what the program says.
    spawnSync('sh', ['-c', proof], { cwd: place.root, env, stdio: 'ignore', timeout: 20_000 });
    return hasRun(place);
  });
}

export function hasRun({ canary }: HostilePlace): boolean {
  return existsSync(`${canary}.ran`);
}

async function inPlace(work: (place: HostilePlace) => Promise<boolean>): Promise<boolean> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-unasked-')));
  try {
    return await work(await makePlace(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}
