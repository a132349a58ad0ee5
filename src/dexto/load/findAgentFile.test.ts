import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { findAgentFile } from './findAgentFile.ts';

let root: string;
const fs = createNodeFileSystem();

async function write(path: string): Promise<string> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), '');
  return join(root, path);
}

const find = (agentFile?: string, roots: readonly string[] = ['w1', 'w2']) =>
  findAgentFile(
    fs,
    { roots: roots.map((each) => join(root, each)), ...(agentFile === undefined ? {} : { agentFile }) },
    join(root, 'home'),
  );

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-agent-')));
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('findAgentFile', () => {
  it('takes the file of the first folder that has one, with one stat for each that has none', async () => {
    const path = await write('w2/.pincer/agent.yml');
    const asked: string[] = [];
    const counting = {
      ...fs,
      stat: (each: string) => {
        asked.push(each);
        return fs.stat(each);
      },
    };
    const roots = [join(root, 'w1'), join(root, 'w2')];
    expect(await findAgentFile(counting, { roots }, root)).toEqual({
      kind: 'found',
      path,
      origin: 'workspace',
    });
    expect(asked).toEqual([join(root, 'w1/.pincer/agent.yml'), path]);
  });

  it('takes the file that the user names in place of all others, and says where there is none', async () => {
    await write('w1/.pincer/agent.yml');
    const path = await write('home/agents/mine.yml');
    expect(await find(path)).toEqual({ kind: 'found', path, origin: 'user' });
    expect(await find('~/agents/mine.yml')).toEqual({ kind: 'found', path, origin: 'user' });
    expect(await find('~/agents/none.yml')).toMatchObject({
      kind: 'failed',
      diagnostic: { source: join(root, 'home/agents/none.yml') },
    });
    expect(await find('agents/mine.yml')).toMatchObject({ kind: 'failed' });
  });

  it('counts as the workspace what lies in it, by its name or by its links', async () => {
    const inside = await write('w1/agents/a.yml');
    expect(await find(inside)).toMatchObject({ origin: 'workspace' });
    const mine = await write('home/mine.yml');
    await symlink(inside, join(root, 'home/link.yml'));
    expect(await find('~/link.yml')).toMatchObject({ origin: 'workspace' });
    await symlink(mine, join(root, 'w1/link.yml'));
    expect(await find(join(root, 'w1/link.yml'))).toMatchObject({ origin: 'workspace' });
  });

  it('finds nothing where no folder has one', async () => {
    expect(await find()).toEqual({ kind: 'none' });
    expect(await find(undefined, [])).toEqual({ kind: 'none' });
  });
});
