import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngineWorld, wasmFile, type EngineWorld } from '../../../../test/builders/openEngineWorld.ts';
import { systemClock } from '../../../host/node/systemClock.ts';
import { createNodeFileSystem } from '../../../host/node/nodeFileSystem.ts';
import type { ReadResult } from '../../files/readMemoryFile.ts';
import { createApplyRead } from './createApplyRead.ts';
import { createBreather } from '../createBreather.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import { createProblems } from '../createProblems.ts';
import { openIndexFile } from '../index/openIndexFile.ts';

let world: EngineWorld;
let index: LiveIndex;

beforeEach(async () => {
  world = await openEngineWorld();
  const place = { folder: world.folder, wasmFile };
  const file = await openIndexFile(
    { fs: createNodeFileSystem(), place },
    createProblems(() => undefined),
  );
  index = await file.openFresh(0);
});

afterEach(async () => {
  index.close();
  await world.close();
});

const path = '/w/a.md';

function read(text: string): ReadResult {
  const file = { path, label: 'a.md', source: 'memory' as const, bytes: text.length, modified: 1 };
  return { kind: 'text', text, hash: text, file };
}

const apply = (result: ReadResult, isSuperseded = (): boolean => false): Promise<string> =>
  createApplyRead(
    () => world.settings,
    createBreather(systemClock, () => Promise.resolve()),
  )(index, path, result, isSuperseded);

const hits = (query: string): number => index.lexical.search(query, { limit: 9 }).length;

it('says what became of a file', async () => {
  expect(await apply(read('rose'))).toBe('added');
  expect(await apply(read('rose'))).toBe('unchanged');
  expect(await apply(read('lily'))).toBe('changed');
  expect([hits('rose'), hits('lily')]).toEqual([0, 1]);
  expect(await apply({ kind: 'gone' })).toBe('removed');
  expect(await apply({ kind: 'gone' })).toBe('unchanged');
  expect([hits('lily'), index.files().size]).toEqual([0, 0]);
});

it('drops a reading of a file that changed while it was being cut', async () => {
  await apply(read('rose'));
  let looks = 0;
  expect(await apply(read('lily'), () => looks++ > 0)).toBe('superseded');
  expect([hits('rose'), hits('lily')]).toEqual([1, 0]);
});

describe('a file of very many passages', () => {
  const long = (word: string): ReadResult =>
    read(Array.from({ length: 300 }, (_, at) => `# ${word} ${at}\n\n${word}\n`).join('\n'));
  const passages = (): number => index.store.counts().passages;

  it('takes the place of what was there, whole in the end', async () => {
    await apply(long('rose'));
    expect(await apply(long('lily'))).toBe('changed');
    expect([hits('rose'), hits('lily'), passages()]).toEqual([0, 9, 300]);
    expect(index.pathOf(index.lexical.search('lily', { limit: 1 })[0]?.passage ?? 0)).toBe(path);
    expect(index.file(path)).toMatchObject({ modified: 1 });
    expect(index.store.files()).toEqual([index.file(path)]);
  });

  it('counts as never read where it changed in the middle', async () => {
    await apply(read('rose'));
    const isHalfIn = (): boolean => passages() >= 100;
    expect(await apply(long('lily'), isHalfIn)).toBe('superseded');
    expect(passages()).toBeLessThan(200);
    expect(index.store.files()).toMatchObject([{ path, hash: '', modified: 0 }]);
    expect(await apply(read('tulip'))).toBe('changed');
    expect([hits('rose'), hits('lily'), hits('tulip'), passages()]).toEqual([0, 0, 1, 1]);
  });
});
