import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createForgottenFiles, type ForgottenFiles } from './createForgottenFiles.ts';
import { createProblems } from './engineState.ts';

const fileAt = (path: string) => ({ path, label: path.slice(1), source: 'memory' as const });

let folder: string;
let file: string;
let told: Diagnostic[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-forgotten-'));
  file = join(folder, 'forgotten.json');
  told = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): ForgottenFiles {
  return createForgottenFiles(
    createNodeFileSystem(),
    file,
    createProblems((problem) => told.push(problem)),
  );
}

describe('createForgottenFiles', () => {
  it('keeps all of several files that are forgotten at once', async () => {
    const forgotten = open();
    await Promise.all(['/a.md', '/b.md', '/c.md'].map((path) => forgotten.add(fileAt(path))));
    const again = open();
    await again.refresh();
    expect(again.all().map(({ path }) => path)).toEqual(['/a.md', '/b.md', '/c.md']);
  });

  it('follows what another window forgot and remembered', async () => {
    const [here, there] = [open(), open()];
    await there.add(fileAt('/a.md'));
    expect(await here.refresh()).toBe(true);
    expect(here.has('/a.md')).toBe(true);
    expect(await here.refresh()).toBe(false);
    await here.add(fileAt('/b.md'));
    await there.remove('/a.md');
    expect(there.all().map(({ path }) => path)).toEqual(['/b.md']);
  });

  it('does not write over a list that it can not read, and says so', async () => {
    await writeFile(file, '{"files": [');
    const forgotten = open();
    const failure = {
      code: 'memory_forgotten_unreadable',
      hint: expect.stringContaining('delete') as string,
    };
    await expect(forgotten.add(fileAt('/a.md'))).rejects.toMatchObject(failure);
    expect(await readFile(file, 'utf8')).toBe('{"files": [');
    expect(await forgotten.refresh()).toBe(false);
    expect(told).toMatchObject([failure]);
  });
});
