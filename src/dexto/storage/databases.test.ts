import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorageWorld, type StorageWorld } from '../../../test/builders/openStorageWorld.ts';
import { openTestDatabase, postgresServer, type TestDatabase } from '../../../test/builders/testServers.ts';
import type { Database } from '../dextoTypes.ts';
import type { DatabaseConfig } from '../agentFile/storageConfig.ts';
import type { Storage } from './createStorage.ts';

/** Texts that are patterns, separators or escapes to somebody. */
const oddTexts = [
  'a',
  'a:b',
  'a%',
  'a_b',
  'axb',
  'a*',
  'a?b',
  'a[b]',
  "a'b",
  'a"b',
  'a\\b',
  'a\nb',
  '2:ta',
  'ta',
  't',
  '../a',
  'ä',
  'a\u0308',
  '中',
  '😀',
  '\ufffd',
  ' ',
];

let world: StorageWorld;
let server: TestDatabase | undefined;
beforeAll(async () => {
  world = await openStorageWorld();
});
afterAll(async () => {
  await world.close();
  await server?.close();
});

const backends = [
  { type: 'in-memory', config: () => Promise.resolve<DatabaseConfig>({ type: 'in-memory' }) },
  { type: 'sqlite', config: () => Promise.resolve<DatabaseConfig>({ type: 'sqlite' }) },
  {
    type: 'postgres',
    server: postgresServer,
    config: async (): Promise<DatabaseConfig> => {
      server ??= await openTestDatabase();
      return { type: 'postgres', url: server.url };
    },
  },
];

let tenants = 0;

describe.for(backends)('a database of type $type', ({ type, config, server: needed }) => {
  const test = (
    name: string,
    work: (database: Database, storage: Storage) => Promise<void>,
    timeout = 20_000,
  ): void => {
    it.skipIf(needed?.isMissing === true)(needed?.titled(name) ?? name, { timeout }, async () => {
      const storage = world.open({ database: await config() });
      tenants += 1;
      await work(storage.forTenant({ tenantId: `test ${type} ${tenants}` }).database, storage);
    });
  };

  test('gives back the JSON that was set, and nothing for a key that was not', async (database) => {
    const value = {
      text: 'nul \0, half \ud83d, quote ", 中 😀',
      list: [1, -0.5, 1e300, null, true, []],
      ['__proto__']: { a: 1 },
    };
    await database.set('k', value);
    expect(await database.get('k')).toEqual(JSON.parse(JSON.stringify(value)));
    expect(await database.get('K')).toBeUndefined();
    await database.set('k', null);
    expect(await database.get('k')).toBeNull();
    await database.delete('k');
    await database.delete('k');
    expect(await database.get('k')).toBeUndefined();
    expect(database.isConnected()).toBe(true);
    expect(database.getStoreType()).toBe(type);
  });

  test('keeps copies: what a plugin changes afterwards is not stored', async (database) => {
    const value = { count: 1 };
    await database.set('k', value);
    value.count = 2;
    const got = await database.get<{ count: number }>('k');
    got!.count = 3;
    expect(await database.get('k')).toEqual({ count: 1 });
  });

  test('takes any text for a key, and no prefix for a pattern', async (database) => {
    for (const [index, key] of oddTexts.entries()) await database.set(key, index);
    for (const [index, key] of oddTexts.entries()) expect(await database.get(key)).toBe(index);
    expect(await database.list('')).toEqual([...oddTexts].sort());
    for (const prefix of oddTexts)
      expect(await database.list(prefix)).toEqual(oddTexts.filter((key) => key.startsWith(prefix)).sort());
    expect(await database.list('%')).toEqual([]);
    expect(await database.list('_')).toEqual([]);
  });

  test('refuses a key that another backend would change', async (database) => {
    for (const key of ['', 'a\0b', '\ud83d', 'x'.repeat(1_025)]) {
      await expect(database.set(key, 1)).rejects.toMatchObject({ code: 'storage_invalid_key' });
      await expect(database.get(key)).rejects.toMatchObject({ code: 'storage_invalid_key' });
    }
    await database.set('x'.repeat(1_024), 1);
    expect(await database.get('x'.repeat(1_024))).toBe(1);
  });

  test('refuses what JSON does not have, and keeps what was there', async (database) => {
    await database.set('k', 'old');
    const round: Record<string, unknown> = {};
    round['self'] = round;
    for (const value of [undefined, () => 1, 1n, round])
      await expect(database.set('k', value)).rejects.toMatchObject({ code: 'storage_not_json' });
    expect(await database.get('k')).toBe('old');
  });

  test('takes a value of 10 MB and refuses one of 64 MB', async (database) => {
    const text = 'x'.repeat(10_000_000);
    await database.set('large', { text });
    expect((await database.get<{ text: string }>('large'))?.text.length).toBe(text.length);
    await expect(database.set('large', 'x'.repeat(64_000_000))).rejects.toMatchObject({
      code: 'storage_too_large',
      message: 'The value for "large" has 64.1 MB; the storage takes up to 32 MB.',
    });
    await database.delete('large');
  });

  test('appends to a list, whoever made it, and reads a part of it', async (database) => {
    for (const item of ['a', { b: [1] }, null]) await database.append('list', item);
    expect(await database.get('list')).toEqual(['a', { b: [1] }, null]);
    await database.set('made', [1, [2]]);
    await database.append('made', 3);
    await database.append('made', 4);
    expect(await database.get('made')).toEqual([1, [2], 3, 4]);
    const parts = [
      [0, 1],
      [0, 9],
      [1, 2],
      [2, 1],
      [3, 5],
      [4, 1],
      [99, 1],
      [1, 0],
      [0, Number.MAX_SAFE_INTEGER],
    ] as const;
    for (const [start, count] of parts)
      expect(await database.getRange('made', start, count)).toEqual(
        [1, [2], 3, 4].slice(start, start + count),
      );
    expect(await database.getRange('nothing', 0, 5)).toEqual([]);
    expect(await database.list('')).toEqual(['list', 'made']);
    await database.set('empty', []);
    await database.append('empty', 1);
    expect(await database.get('empty')).toEqual([1]);
    await database.delete('made');
    expect(await database.getRange('made', 0, 5)).toEqual([]);
  });

  test('replaces a list by what is set, and appends to nothing but a list', async (database) => {
    await database.append('k', 1);
    await database.set('k', { not: 'a list' });
    expect(await database.get('k')).toEqual({ not: 'a list' });
    await expect(database.append('k', 2)).rejects.toMatchObject({ code: 'storage_not_a_list' });
    await expect(database.getRange('k', 0, 1)).rejects.toMatchObject({ code: 'storage_not_a_list' });
    expect(await database.get('k')).toEqual({ not: 'a list' });
    await expect(database.getRange('k', -1, 1)).rejects.toMatchObject({ code: 'storage_invalid_range' });
    await expect(database.getRange('k', 0, 0.5)).rejects.toMatchObject({ code: 'storage_invalid_range' });
  });

  test('loses nothing of what is appended at the same time', async (database) => {
    const items = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(items.map((item) => database.append('list', item)));
    expect((await database.get<number[]>('list'))?.sort((a, b) => a - b)).toEqual(items);
  });

  test('ends with one whole value where several are set at the same time', async (database) => {
    const values = Array.from({ length: 12 }, (_, index) => ({ all: new Array(50).fill(index) }));
    await Promise.all(values.map((value) => database.set('k', value)));
    expect(values).toContainEqual(await database.get('k'));
  });

  test('shows no tenant a key of another, whatever both are called', async (_, storage) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.constantFrom(...oddTexts.filter((text) => text.trim() === text && !text.includes('\n'))),
          {
            minLength: 2,
            maxLength: 2,
          },
        ),
        fc.constantFrom(...oddTexts),
        async ([one, other], key) => {
          const mine = storage.forTenant({ tenantId: one! }).database;
          const others = [
            storage.forTenant({ tenantId: other! }).database,
            storage.forTenant({ userId: one! }).database,
            storage.forTenant(undefined).database,
          ];
          await mine.set(key, 'secret');
          for (const database of others) {
            for (const guess of [key, `${one}:${key}`, `t${one}${key}`, `%${key}`])
              expect(await database.get(guess)).toBeUndefined();
            expect(await database.list('')).toEqual([]);
            await database.delete(key);
          }
          expect(await mine.get(key)).toBe('secret');
          await mine.delete(key);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('counts users of one tenant as one, and refuses an id that is none', async (_, storage) => {
    await storage.forTenant({ tenantId: 'acme', userId: 'ann' }).database.set('k', 1);
    expect(await storage.forTenant({ tenantId: 'acme', userId: 'bob' }).database.get('k')).toBe(1);
    await storage.forTenant({ tenantId: 'acme' }).database.delete('k');
    for (const tenantId of ['', 'a\0', '\ud83d'])
      expect(() => storage.forTenant({ tenantId })).toThrow(
        expect.objectContaining({ code: 'tenant_invalid' }),
      );
  });

  test('is shut for good once it was closed', async (database, storage) => {
    await database.set('k', 1);
    await storage.close();
    if (type === 'in-memory') expect(await database.get('k')).toBeUndefined();
    else await expect(database.get('k')).rejects.toMatchObject({ code: 'storage_closed' });
  });

  if (type !== 'in-memory')
    test('is shared by two windows, each of which sees what the other writes', async (database, storage) => {
      const tenant = { tenantId: `test ${type} ${tenants}` };
      const other = world.open({ database: await config() }).forTenant(tenant).database;
      expect(storage).not.toBe(other);
      for (let round = 0; round < 5; round += 1) {
        await database.append('k', `one ${round}`);
        await other.append('k', `two ${round}`);
      }
      expect(await database.get('k')).toEqual(await other.get('k'));
      expect(await database.get('k')).toHaveLength(10);
      const both = [database, other].flatMap((each) =>
        Array.from({ length: 10 }, (_, index) => each.append('at once', index)),
      );
      await Promise.all(both);
      expect(await other.get('at once')).toHaveLength(20);
    });
});
