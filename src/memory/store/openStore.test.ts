import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { SqlJsStatic } from 'sql.js';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  loadTestSqlite,
  notes,
  openStoreWorld,
  passageOf,
  type StoreWorld,
} from '../../../test/builders/openStoreWorld.ts';
import { PincerError } from '../../base/errors.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { writeChecksum } from './database.ts';
import { type MemoryStore, type OpenedStore, openStore, type OpenStoreOptions } from './openStore.ts';

describe('openStore', () => {
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
      const many = Array.from({ length: 600 }, (_, n) =>
        passageOf(`p${n}`, { terms: { packed, length: 1 } }),
      );
      store.replaceFile(notes, many);
      await store.save();
      const full = store.bytes;
      store.removeFile(notes.path);
      await store.save();
      expect(store.bytes).toBeLessThan(full / 10);
      expect((await world.open()).state).toBe('loaded');
    });
  });

  describe('generations of the index', () => {
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
});

describe('an index file with a fault', () => {
  let world: StoreWorld;
  beforeEach(async () => {
    world = await openStoreWorld();
  });
  afterEach(() => world.close());

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
        const other = new world.sqlite.Database();
        other.run('CREATE TABLE files (path TEXT); INSERT INTO files VALUES (1)');
        return other.export();
      },
      'of another version': (good) => {
        const other = good.slice();
        other[71]! += 1;
        writeChecksum(other);
        return other;
      },
      'a header alone': (good) => good.slice(0, 100),
    };

    it.each(Object.entries(refused))(
      '(%s) is unusable, and a save puts an index there',
      async (_, change) => {
        await world.saveNotes();
        await writeFile(world.file, await change(await readFile(world.file)));
        const { store, state, problem } = await world.open();
        expect([state, typeof problem]).toEqual(['unusable', 'string']);
        expect(problem).toMatch(/^[A-Z].*\.$/u);
        expect(store.files()).toEqual([]);
        await store.save();
        expect((await world.open()).state).toBe('loaded');
      },
    );

    it('with any one wrong byte is unusable', async () => {
      await world.saveNotes();
      const good = await readFile(world.file);
      await fc.assert(
        fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          await writeFile(
            world.file,
            good.map((byte, index) => (index === at ? byte ^ flip : byte)),
          );
          const { state, store } = await world.open();
          expect(state).toBe('unusable');
          store.close();
        }),
        { numRuns: 60 },
      );
    });

    it('such as a folder or an unreadable one is unusable', async () => {
      await mkdir(world.file, { recursive: true });
      expect(await world.open()).toMatchObject({
        state: 'unusable',
        problem: expect.stringContaining(world.file) as string,
      });
    });
  });

  describe('a database that somebody made', () => {
    /** Whatever SQL does to a good index, with its checksum as if we had written it. */
    async function alter(sql: string): Promise<OpenedStore> {
      await world.saveNotes();
      const database = new world.sqlite.Database(await readFile(world.file));
      database.run(sql);
      const content = database.export();
      database.close();
      writeChecksum(content);
      await writeFile(world.file, content);
      return await world.open();
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
});

describe('a save', () => {
  const node = createNodeFileSystem();

  let sqlite: SqlJsStatic;

  beforeAll(async () => {
    sqlite = await loadTestSqlite();
  });

  /** A disk for one file whose writes fail while `fault` is set, leaving what was there. */
  function createDisk(): OpenStoreOptions['fs'] & {
    fault: string | undefined;
    content: Uint8Array | undefined;
  } {
    return {
      fault: undefined,
      content: undefined,
      async stat() {
        return this.content && { ...(await node.stat('/'))!, size: this.content.length };
      },
      async readFile() {
        return this.content!;
      },
      async writeFile(path, content) {
        if (this.fault !== undefined) throw new PincerError(this.fault, `Could not write ${path}.`);
        this.content = Buffer.from(content);
      },
    };
  }

  async function open(fs: OpenStoreOptions['fs']): Promise<MemoryStore> {
    return (await openStore({ fs, sqlite, file: '/index.sqlite' })).store;
  }

  it.each(['io_disk_full', 'io_forbidden'])(
    'that fails (%s) leaves the file as it was, and a later one works',
    async (fault) => {
      const disk = createDisk();
      const store = await open(disk);
      store.setMeta('key', 'old');
      await store.save();
      const { content } = disk;
      const { bytes } = store;

      store.setMeta('key', 'new');
      disk.fault = fault;
      await expect(store.save()).rejects.toMatchObject({ code: fault });
      expect(disk.content).toBe(content);
      expect([store.generation, store.isChanged, store.bytes]).toEqual([1, true, bytes]);
      expect((await open(disk)).meta('key')).toBe('old');

      disk.fault = undefined;
      await store.save();
      expect([store.generation, store.isChanged]).toEqual([2, false]);
      const again = await open(disk);
      expect([again.generation, again.meta('key')]).toEqual([2, 'new']);
    },
  );

  it('that fails does not keep the one behind it from being made', async () => {
    const disk = createDisk();
    const store = await open(disk);
    store.setMeta('key', 'value');
    disk.fault = 'io_disk_full';
    const saves = [store.save(), store.save()];
    const first = await Promise.allSettled(saves);
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    disk.fault = undefined;
    await store.save();
    expect((await open(disk)).meta('key')).toBe('value');
  });

  it('puts on the disk what the store held then, whichever saves before it failed', async () => {
    const step = fc.record({ value: fc.string(), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const disk = createDisk();
        const store = await open(disk);
        let saved: string | undefined;
        let generation = 0;
        for (const { value, fails } of steps) {
          disk.fault = fails ? 'io_disk_full' : undefined;
          store.setMeta('key', value);
          const result = await Promise.allSettled([store.save()]);
          expect(result[0].status).toBe(fails ? 'rejected' : 'fulfilled');
          if (!fails) [saved, generation] = [value, generation + 1];
          const onDisk = await open(disk);
          expect([onDisk.meta('key'), onDisk.generation]).toEqual([saved, generation]);
          onDisk.close();
        }
        store.close();
      }),
      { numRuns: 20 },
    );
  });
});
