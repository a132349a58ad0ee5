import { mkdir, readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenedStore } from './memoryStore.ts';
import { sealIndex } from './seal.ts';
import { notes, openStoreWorld, type StoreWorld } from '../../../test/builders/openStoreWorld.ts';

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
      sealIndex(other);
      return other;
    },
    'a header alone': (good) => good.slice(0, 100),
  };

  it.each(Object.entries(refused))('(%s) is unusable, and a save puts an index there', async (_, change) => {
    await world.saveNotes();
    await writeFile(world.file, await change(await readFile(world.file)));
    const { store, state, problem } = await world.open();
    expect([state, typeof problem]).toEqual(['unusable', 'string']);
    expect(problem).toMatch(/^[A-Z].*\.$/u);
    expect(store.files()).toEqual([]);
    await store.save();
    expect((await world.open()).state).toBe('loaded');
  });

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
  /** Whatever SQL does to a good index, sealed as if we had written it. */
  async function alter(sql: string): Promise<OpenedStore> {
    await world.saveNotes();
    const database = new world.sqlite.Database(await readFile(world.file));
    database.run(sql);
    const content = database.export();
    database.close();
    sealIndex(content);
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
