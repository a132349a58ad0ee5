import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SqlJsStatic } from 'sql.js';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { loadSqlite } from './loadSqlite.ts';
import type { MemoryStore, NewPassage, OpenedStore, StoredFile } from './memoryStore.ts';
import { openStore } from './openStore.ts';
import { sealIndex } from './seal.ts';

const fs = createNodeFileSystem();
const wasmFile = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
const expectation = { 'way of reading words': '1' };

let sqlite: SqlJsStatic;
let folder: string;
let file: string;
const opened: MemoryStore[] = [];

beforeAll(async () => {
  sqlite = await loadSqlite(fs, wasmFile);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-store-'));
  file = join(folder, 'deep', 'index.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(changes: Partial<Parameters<typeof openStore>[0]> = {}): Promise<OpenedStore> {
  const result = await openStore({ fs, sqlite, file, expectation, ...changes });
  opened.push(result.store);
  return result;
}

const notes: StoredFile = {
  path: '/work/notes.md',
  label: 'notes.md',
  source: 'memory',
  hash: 'f1',
  modified: 1_700_000_000_000.25,
  bytes: 5_000_000_000,
  date: '2026-02-15',
  leftOut: undefined,
};

function passageOf(text: string, change: Partial<NewPassage> = {}): NewPassage {
  const terms = { packed: new Uint8Array([1, 2, 255]), length: 2.5 };
  return {
    startLine: 1,
    endLine: 3,
    headings: ['One', 'Zwei "3"'],
    text,
    hash: `h-${text}`,
    terms,
    ...change,
  };
}

/** All that a store holds. */
function contentOf(store: MemoryStore): unknown {
  const files = store.files();
  const terms: unknown[] = [];
  store.eachTerms((each) => terms.push(each));
  return { files, passages: files.map(({ path }) => store.passagesOf(path)), terms, words: store.terms() };
}

/** An index file with one note of two passages. */
async function saveNotes(): Promise<void> {
  const { store } = await open();
  store.addTerms(0, ['alpha', 'beta']);
  store.replaceFile(notes, [passageOf('first'), passageOf('second')]);
  await store.save();
}

describe('what is stored', () => {
  it('comes back as it was after it was saved and opened again', async () => {
    const { store, state } = await open();
    expect(state).toBe('new');
    store.addTerms(0, ['alpha', 'b"e\n\0ta']);
    store.addTerms(2, ['你好']);
    const text = 'text 你好 👋 \0 end';
    const { added } = store.replaceFile(notes, [passageOf(text), passageOf('second', { headings: [] })]);
    store.replaceFile({ ...notes, path: '/work/b.md', date: undefined, leftOut: 'it is too large' }, []);
    store.setMeta('sync', '17');
    await store.save();
    const again = await open();
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
    const counts = { [notes.path]: 2, '/work/b.md': 0 };
    expect(Object.fromEntries(again.store.passagesByFile())).toEqual(counts);
  });

  it('is private to the user, and of the size that the store says', async () => {
    await saveNotes();
    const { store } = await open();
    const { size, mode } = await stat(file);
    expect(store.bytes).toBe(size);
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
  });

  it('is replaced as a whole: what a file held goes, and its numbers are not used again', async () => {
    const { store } = await open();
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
    const { store } = await open();
    store.replaceFile(notes, [passageOf('one')]);
    const before = contentOf(store);
    const bad = passageOf('bad', { startLine: -1 });
    expect(() => store.replaceFile(notes, [passageOf('two'), bad])).toThrow(
      expect.objectContaining({ code: 'memory_index_failed' }),
    );
    expect(() => store.replaceFile({ ...notes, path: '/work/new.md' }, [bad])).toThrow();
    expect(contentOf(store)).toEqual(before);
    expect([...store.passagesByFile().keys()]).toEqual([notes.path]);
  });

  it('gets another time or label without being read again', async () => {
    const { store } = await open();
    store.replaceFile(notes, [passageOf('one')]);
    store.touchFile({ ...notes, label: 'folder/notes.md', modified: 7 });
    store.touchFile({ ...notes, path: '/work/unknown.md' });
    expect(store.files()).toEqual([{ ...notes, label: 'folder/notes.md', modified: 7 }]);
    expect(store.passagesOf(notes.path)).toHaveLength(1);
  });

  it('is not in the file any more once it is forgotten', async () => {
    const { store } = await open();
    const secret = new Uint8Array(Buffer.from('the-secret-terms'));
    const terms = { packed: secret, length: 1 };
    store.replaceFile(notes, [passageOf('x', { terms, headings: ['the-secret-heading'] })]);
    await store.save();
    expect(await readFile(file, 'latin1')).toContain('the-secret');
    store.removeFile(notes.path);
    await store.save();
    expect(await readFile(file, 'latin1')).not.toContain('the-secret');
  });

  it('gives its room back where most of it was deleted', async () => {
    const { store } = await open();
    const packed = new Uint8Array(5_000);
    const many = Array.from({ length: 600 }, (_, n) => passageOf(`p${n}`, { terms: { packed, length: 1 } }));
    store.replaceFile(notes, many);
    await store.save();
    const full = store.bytes;
    store.removeFile(notes.path);
    await store.save();
    expect(store.bytes).toBeLessThan(full / 10);
    expect((await open()).state).toBe('loaded');
  });
});

describe('generations', () => {
  it('grow by one with each save that has something to write', async () => {
    const { store } = await open();
    expect([store.generation, store.isChanged]).toEqual([0, false]);
    await store.save();
    expect(await fs.stat(file)).toBeUndefined();
    store.replaceFile(notes, []);
    expect(store.isChanged).toBe(true);
    await store.save();
    expect([store.generation, store.isChanged]).toEqual([1, false]);
    await store.save();
    expect(store.generation).toBe(1);
    store.setMeta('key', 'value');
    await store.save();
    expect((await open()).store.generation).toBe(2);
  });

  it('know what was changed while a save was under way', async () => {
    const { store } = await open();
    store.setMeta('key', 'first');
    const saving = store.save();
    await Promise.resolve();
    store.setMeta('key', 'second');
    await saving;
    expect(store.isChanged).toBe(true);
    expect((await open()).store.meta('key')).toBe('first');
    await Promise.all([store.save(), store.save()]);
    expect([store.isChanged, store.generation]).toEqual([false, 2]);
    expect((await open()).store.meta('key')).toBe('second');
  });
});

describe('a file that is not an index', () => {
  const refused: Readonly<Record<string, (good: Uint8Array) => Uint8Array | Promise<Uint8Array>>> = {
    empty: () => new Uint8Array(),
    'a text': () => Buffer.from('# Notes\n'.repeat(1_000)),
    zeros: (good) => new Uint8Array(good.length),
    'cut in the middle': (good) => good.slice(0, good.length / 2),
    'cut by one byte': (good) => good.slice(0, -1),
    'longer by zeros': (good) => Buffer.concat([good, new Uint8Array(4_096)]),
    'zeros after its first page': (good) =>
      Buffer.concat([good.slice(0, 4_096), new Uint8Array(good.length - 4_096)]),
    'random bytes': (good) => good.map((_, index) => (index * 2_654_435_761) >>> 11),
    'another database': () => {
      const other = new sqlite.Database();
      other.run('CREATE TABLE files (path TEXT); INSERT INTO files VALUES (1)');
      return other.export();
    },
    'of another version': (good) => {
      const other = good.slice();
      other[71]! += 1;
      sealIndex(other);
      return other;
    },
    'a header alone': (good) => good.slice(0, 100),
  };

  it.each(Object.entries(refused))('(%s) is unusable, and a save puts an index there', async (_, change) => {
    await saveNotes();
    await writeFile(file, await change(await readFile(file)));
    const { store, state, problem } = await open();
    expect([state, typeof problem]).toEqual(['unusable', 'string']);
    expect(problem).toMatch(/^[A-Z].*\.$/u);
    expect(store.files()).toEqual([]);
    await store.save();
    expect((await open()).state).toBe('loaded');
  });

  it('with any one wrong byte is unusable', async () => {
    await saveNotes();
    const good = await readFile(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        await writeFile(
          file,
          good.map((byte, index) => (index === at ? byte ^ flip : byte)),
        );
        expect((await open()).state).toBe('unusable');
        opened.pop()?.close();
      }),
      { numRuns: 60 },
    );
  });

  it('such as a folder or an unreadable one is unusable', async () => {
    await fs.makeDirectory(file);
    expect(await open()).toMatchObject({
      state: 'unusable',
      problem: expect.stringContaining(file) as string,
    });
  });

  it('made in another way than is expected is unusable, and says which', async () => {
    await saveNotes();
    const other = { ...expectation, 'size of passages': '400' };
    expect(await open({ expectation: other })).toMatchObject({
      state: 'unusable',
      problem: 'It was made with another size of passages.',
    });
  });
});

describe('a database that somebody made', () => {
  /** Whatever SQL does to a good index, sealed as if we had written it. */
  async function alter(sql: string): Promise<OpenedStore> {
    await saveNotes();
    const database = new sqlite.Database(await readFile(file));
    database.run(sql);
    const content = database.export();
    database.close();
    sealIndex(content);
    await writeFile(file, content);
    return await open();
  }

  it('and did not change is an index', async () => {
    expect((await alter('VACUUM')).state).toBe('loaded');
  });

  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM chunks; END'],
    ['a view', 'CREATE VIEW v AS SELECT 1'],
    [
      'a view in place of a table',
      'DROP TABLE terms; CREATE VIEW terms AS SELECT 0 AS id, randomblob(9) AS term',
    ],
    ['another table', 'CREATE TABLE more (a)'],
    ['a table without its checks', 'DROP TABLE terms; CREATE TABLE terms (id INTEGER PRIMARY KEY, term)'],
    ['no table for meta', 'DROP TABLE meta'],
    ['an index too few', 'DROP INDEX chunks_of_file'],
    [
      'a schema that is no SQL',
      `PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE x' WHERE name = 'meta'`,
    ],
  ])('with %s is unusable', async (_, sql) => {
    const { state, store } = await alter(sql);
    expect(state).toBe('unusable');
    expect(store.terms()).toEqual([]);
  });

  const unchecked = 'PRAGMA ignore_check_constraints = 1; ';
  it.each([
    ['broken JSON', `${unchecked}UPDATE chunks SET headings = '["a"'`],
    ['headings that are no list', `${unchecked}UPDATE chunks SET headings = '{}'`],
    ['negative lines', `${unchecked}UPDATE chunks SET start_line = -4`],
    ['lines that end before they start', `${unchecked}UPDATE chunks SET end_line = 0`],
    ['an unknown source', `${unchecked}UPDATE files SET source = 'web'`],
    ['a passage of no file', 'DELETE FROM files'],
    ['terms of no passage', 'DELETE FROM chunks'],
    ['terms missing in the dictionary', 'DELETE FROM terms WHERE id = 0'],
    ['a negative passage', `${unchecked}UPDATE chunks SET id = -id; UPDATE chunks_fts SET id = -id`],
    [
      'a vector that is cut',
      `${unchecked}INSERT INTO embedding_spaces VALUES (1, 'a', 'b', 'c');
      INSERT INTO embedding_cache VALUES (1, 1, 'h', 2, x'00000000aa')`,
    ],
  ])('with %s is unusable', async (_, sql) => {
    const { state, problem } = await alter(sql);
    expect([state, problem]).toEqual(['unusable', expect.stringMatching(/^It is damaged: .+\.$/u)]);
  });

  it('with a text that can not be unpacked gives an empty one', async () => {
    const { store, state } = await alter("UPDATE chunks SET text = x'ffffffff'");
    expect(state).toBe('loaded');
    expect(store.passagesOf(notes.path).map(({ text }) => text)).toEqual(['', '']);
  });
});
