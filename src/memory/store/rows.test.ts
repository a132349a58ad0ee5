import type { SqlJsStatic } from 'sql.js';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { loadTestSqlite } from '../../../test/builders/openStoreWorld.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { type MemoryStore, openStore } from './openStore.ts';
import type { NewPassage, StoredFile, VectorSpace } from './rows.ts';

const fs = createNodeFileSystem();
const openAi: VectorSpace = { provider: 'openai', model: 'small', providerKey: 'k1' };
const local: VectorSpace = { ...openAi, provider: 'local' };

let sqlite: SqlJsStatic;
let disk: Uint8Array | undefined;
let store: MemoryStore;
let passages: readonly number[];

beforeAll(async () => {
  sqlite = await loadTestSqlite();
});
beforeEach(async () => {
  disk = undefined;
  store = await open();
  passages = store.replaceFile(file('/a.md'), [passage('one'), passage('two'), passage('three')]).added;
});

async function open(): Promise<MemoryStore> {
  const inMemory = {
    ...fs,
    stat: async () => disk && { ...(await fs.stat('/'))!, size: disk.length },
    readFile: async () => disk!,
    writeFile: async (_: string, content: string | Uint8Array) => void (disk = Buffer.from(content)),
  };
  return (await openStore({ fs: inMemory, sqlite, file: '/index.db' })).store;
}

function file(path: string): StoredFile {
  const times = { modified: 1, bytes: 1, date: undefined, leftOut: undefined };
  return { path, label: path, source: 'memory', hash: 'f', ...times };
}

function passage(text: string): NewPassage {
  const terms = { packed: new Uint8Array(), length: 1 };
  return { startLine: 1, endLine: 1, headings: [], text, hash: `hash of ${text}`, terms };
}

function vectorsOf(space: VectorSpace, from = store): Record<number, number[]> {
  const found: Record<number, number[]> = {};
  from.eachVector(space, (each, vector) => (found[each] = [...vector]));
  return found;
}

it('a vector comes back exactly, also after a save', async () => {
  const vector = new Float32Array([0.1, -0.7, 1e-20]);
  store.setVector(passages[0]!, openAi, vector);
  await store.save();
  for (const each of [store, await open()]) {
    expect(vectorsOf(openAi, each)).toEqual({ [passages[0]!]: [...vector] });
    expect(each.cachedVector(openAi, 'hash of one')).toEqual(vector);
    expect(each.countVectors(openAi)).toBe(1);
  }
});

it('a view into a larger buffer is stored as what it shows', () => {
  store.setVector(passages[0]!, openAi, new Float32Array([9, 1, 0, 9]).subarray(1, 3));
  expect(vectorsOf(openAi)).toEqual({ [passages[0]!]: [1, 0] });
});

it('vectors of one space say nothing of another', () => {
  store.setVector(passages[0]!, openAi, new Float32Array([1, 0]));
  store.cacheVector(openAi, 'hash of two', new Float32Array([0, 1]));
  expect(vectorsOf(local)).toEqual({});
  expect(store.cachedVector(local, 'hash of one')).toBeUndefined();
  expect(store.countVectors(local)).toBe(0);
  expect(store.withoutVector(local, 9)).toHaveLength(3);
});

it('passages that still need a vector are told, at most as many as asked for', () => {
  store.setVector(passages[1]!, openAi, new Float32Array([1]));
  expect(store.withoutVector(openAi, 9).map(({ text }) => text)).toEqual(['one', 'three']);
  expect(store.withoutVector(openAi, 1).map(({ text }) => text)).toEqual(['one']);
});

it('a vector that comes for a passage that is gone is left out', () => {
  store.removeFile('/a.md');
  store.setVector(passages[0]!, openAi, new Float32Array([1]));
  expect(store.countVectors(openAi)).toBe(0);
});

it('a passage that goes takes its place in the list with it, and its vector is there when the text comes back', () => {
  store.setVector(passages[0]!, openAi, new Float32Array([1, 0]));
  store.replaceFile(file('/a.md'), [passage('other')]);
  expect(vectorsOf(openAi)).toEqual({});
  expect(store.cachedVector(openAi, 'hash of one')).toEqual(new Float32Array([1, 0]));
});

it('what belongs to other spaces is dropped, and the file stays sound', async () => {
  store.setVector(passages[0]!, openAi, new Float32Array([1, 0]));
  store.cacheVector(openAi, 'more', new Float32Array([1, 0]));
  store.setVector(passages[1]!, local, new Float32Array([0, 1]));
  store.keepVectorsOf(local);
  await store.save();
  const again = await open();
  expect([vectorsOf(openAi, again), again.cachedVector(openAi, 'more')]).toEqual([{}, undefined]);
  expect(vectorsOf(local, again)).toEqual({ [passages[1]!]: [0, 1] });
});

it('vectors that nothing has are kept up to a number, the latest of them, and those in use always', async () => {
  store.setVector(passages[0]!, openAi, new Float32Array([1]));
  for (let n = 0; n < 2_001; n += 1) store.cacheVector(openAi, `unused ${n}`, new Float32Array([1]));
  await store.save();
  const kept = (hash: string): boolean => store.cachedVector(openAi, hash) !== undefined;
  expect(['hash of one', 'unused 0', 'unused 1', 'unused 2000'].map(kept)).toEqual([true, false, true, true]);
});

it('a vector with numbers that are none is never given', () => {
  store.setVector(passages[0]!, openAi, new Float32Array([1, Number.NaN]));
  expect(vectorsOf(openAi)).toEqual({});
  expect(store.cachedVector(openAi, 'hash of one')).toBeUndefined();
});
