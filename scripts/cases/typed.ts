import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createExecWorld, type ExecWorld } from '../../test/builders/createExecWorld.ts';
import type { OpenJudge } from './hostileCase.ts';

const run = promisify(execFile);

/** A workspace as developers have it: some files, and a repository with a commit. */
async function createProject(): Promise<ExecWorld> {
  const world = await createExecWorld();
  const files = {
    'README.md': '# Boat\n',
    'package.json': '{"name":"boat"}\n',
    'log.txt': 'day one\n',
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'src/a.ts': 'export const a = 1;\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(world.root, path, '..'), { recursive: true });
    await writeFile(join(world.root, path), text);
  }
  const git = (...args: string[]) => run('git', ['-C', world.root, ...args]);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  await git('-c', 'user.name=u', '-c', 'user.email=u@u', 'commit', '--quiet', '--message=begin');
  return world;
}

/** A line that a developer types, under the default rules, in such a workspace. Nothing runs but what finds out what would. */
export async function openJudge(): Promise<OpenJudge> {
  const world = await createProject();
  return {
    async judge({ input }) {
      const { effects } = await world.prepare('exec', { command: input });
      const [effect] = effects;
      if (effect?.kind !== 'execute') throw new Error('It is no command.');
      return ({ allowed: 'allow', ask: 'ask', denied: 'block' } as const)[effect.verdict];
    },
    close: () => world.close(),
  };
}
