import { readFile, rm, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryStore } from './memoryStore.ts';
import { notes, openStoreWorld, passageOf, type StoreWorld } from '../../../test/builders/openStoreWorld.ts';

let world: StoreWorld;
beforeEach(async () => {
  world = await openStoreWorld();
});
afterEach(() => world.close());

/** All that a store holds. */
function contentOf(store: MemoryStore): unknown {
  const files = store.files();
  const terms: unknown[] = [];
  store.eachTerms((each) => terms.push(each));
  return { files, passages: files.map(({ path }) => store.passagesOf(path)), terms, words: store.terms() };
}

describe('what is stored', () => {
  it('comes back as it was after it was saved and opened again', async () => {
    const { store, state } = await world.open();
    expect(state).toBe('new');
    store.addTerms(0, ['alpha', 'b"e\n\0ta']);
    store.addTerms(2, ['你好']);
    const text = 'text 你好 👋 \0 end';
    const { added } = store.replaceFile(notes, [passageOf(text), passageOf('second', { headings: [] })]);
    store.replaceFile({ ...notes, path: '/w/b.md', date: undefined, leftOut: 'it is too large' }, []);
    store.setMeta('sync', '17');
    await store.save();
    const again = await world.open();
    expect(again.state).toBe('loaded');
    expect(contentOf(again.store)).toEqual(contentOf(store));
    expect(again.store.files()).toContainEqual(notes);
    expect(again.store.passage(added[0]!)).toEqual({
      passage: added[0],
      path: notes.path,
      ...passageOf(text),
    });
    expect(again.store.terms()).toEqual(['alpha', 'b"e\n\0ta', '你好']);
    expect(again.store.meta('sync')).toBe('17');
    expect(again.store.counts()).toEqual({ files: 2, passages: 2 });
    const counts = { [notes.path]: 2, '/w/b.md': 0 };
    expect(Object.fromEntries(again.store.passagesByFile())).toEqual(counts);
  });

  it('is private to the user, and of the size that the store says', async () => {
    await world.saveNotes();
    const { store } = await world.open();
    const { size, mode } = await stat(world.file);
    expect(store.bytes).toBe(size);
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
  });

  it('is replaced as a whole: what a file held goes, and its numbers are not used again', async () => {
    const { store } = await world.open();
    const first = store.replaceFile(notes, [passageOf('one'), passageOf('two')]);
    const second = store.replaceFile({ ...notes, hash: 'f2' }, [passageOf('three')]);
    expect(second.removed.map(({ passage }) => passage)).toEqual(first.added);
    expect(second.removed[0]?.terms).toEqual(passageOf('one').terms);
    expect(first.added).not.toContain(second.added[0]);
    expect(store.passage(first.added[0]!)).toBeUndefined();
    expect(store.removeFile(notes.path)).toHaveLength(1);
    expect(store.removeFile(notes.path)).toEqual([]);
    expect(store.replaceFile(notes, [passageOf('four')]).added[0]).toBeGreaterThan(second.added[0]!);
  });

  it('stays as it was where a replacement fails half way', async () => {
    const { store } = await world.open();
    store.replaceFile(notes, [passageOf('one')]);
    const before = contentOf(store);
    const bad = passageOf('bad', { startLine: -1 });
    expect(() => store.replaceFile(notes, [passageOf('two'), bad])).toThrow(
      expect.objectContaining({ code: 'memory_index_failed' }),
    );
    expect(() => store.replaceFile({ ...notes, path: '/w/new.md' }, [bad])).toThrow();
    expect(contentOf(store)).toEqual(before);
    expect([...store.passagesByFile().keys()]).toEqual([notes.path]);
  });

  it('gets another time or label without being read again', async () => {
    const { store } = await world.open();
    store.replaceFile(notes, [passageOf('one')]);
    store.touchFile({ ...notes, label: 'folder/notes.md', modified: 7 });
    store.touchFile({ ...notes, path: '/w/unknown.md' });
    expect(store.files()).toEqual([{ ...notes, label: 'folder/notes.md', modified: 7 }]);
    expect(store.passagesOf(notes.path)).toHaveLength(1);
  });

  it('is not in the file any more once it is forgotten', async () => {
    const { store } = await world.open();
    const secret = new Uint8Array(Buffer.from('the-secret-terms'));
    const terms = { packed: secret, length: 1 };
    store.replaceFile(notes, [passageOf('x', { terms, headings: ['the-secret-heading'] })]);
    await store.save();
    expect(await readFile(world.file, 'latin1')).toContain('the-secret');
    store.removeFile(notes.path);
    await store.save();
    expect(await readFile(world.file, 'latin1')).not.toContain('the-secret');
  });

  it('gives its room back where most of it was deleted', async () => {
    const { store } = await world.open();
    const packed = new Uint8Array(5_000);
    const many = Array.from({ length: 600 }, (_, n) => passageOf(`p${n}`, { terms: { packed, length: 1 } }));
    store.replaceFile(notes, many);
    await store.save();
    const full = store.bytes;
    store.removeFile(notes.path);
    await store.save();
    expect(store.bytes).toBeLessThan(full / 10);
    expect((await world.open()).state).toBe('loaded');
  });
});

describe('generations', () => {
  it('grow by one with each save that has something to write', async () => {
    const { store } = await world.open();
    expect([store.generation, store.isChanged]).toEqual([0, false]);
    await store.save();
    await expect(stat(world.file)).rejects.toThrow('ENOENT');
    store.replaceFile(notes, []);
    expect(store.isChanged).toBe(true);
    await store.save();
    expect([store.generation, store.isChanged]).toEqual([1, false]);
    await store.save();
    expect(store.generation).toBe(1);
    store.setMeta('key', 'value');
    await store.save();
    expect((await world.open()).store.generation).toBe(2);
  });

  it('go on where an empty index takes the place of another', async () => {
    await world.saveNotes();
    await rm(world.file);
    const { store } = await world.open({ generation: 17 });
    expect([store.generation, store.isChanged]).toEqual([17, false]);
    store.setMeta('key', 'value');
    await store.save();
    expect((await world.open()).store.generation).toBe(18);
  });

  it('know what was changed while a save was under way', async () => {
    const { store } = await world.open();
    store.setMeta('key', 'first');
    const saving = store.save();
    await Promise.resolve();
    store.setMeta('key', 'second');
    await saving;
    expect(store.isChanged).toBe(true);
    expect((await world.open()).store.meta('key')).toBe('first');
    await Promise.all([store.save(), store.save()]);
    expect([store.isChanged, store.generation]).toEqual([false, 2]);
    expect((await world.open()).store.meta('key')).toBe('second');
  });
});
