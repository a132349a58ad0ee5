import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorageWorld, type StorageWorld } from '../../../../test/builders/openStorageWorld.ts';
import { startTestProxy, type TestProxy } from '../../../../test/builders/startTestProxy.ts';
import {
  openTestDatabase,
  postgresServer,
  type TestDatabase,
} from '../../../../test/builders/testServers.ts';
import { lockNumberOf } from './createPostgresPool.ts';
import { createPostgresRows } from './createPostgresRows.ts';

let world: StorageWorld;
let database: TestDatabase;
let proxy: TestProxy;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  if (postgresServer.isMissing) return;
  database = await openTestDatabase();
  closing.unshift(() => database.close());
  world = await openStorageWorld();
  closing.unshift(() => world.close());
  proxy = await startTestProxy(database.url);
  closing.unshift(() => proxy.close());
});
afterAll(async () => {
  for (const close of closing) await close();
});

const test = (name: string, work: () => Promise<void>): void => {
  it.skipIf(postgresServer.isMissing)(postgresServer.titled(name), work);
};

describe('a database in PostgreSQL', () => {
  test('makes its table once, however many begin at the same time', async () => {
    const all = Array.from({ length: 6 }, () => createPostgresRows({ ...world.deps, url: database.url }));
    await Promise.all(all.map((rows, index) => rows.append('s', 'begin', String(index))));
    expect(await all[0]!.range('s', 'begin', 0, 10)).toHaveLength(6);
    for (const rows of all) await rows.close();
  });

  test('makes the table again after somebody has dropped it', async () => {
    const rows = createPostgresRows({ ...world.deps, url: database.url });
    await rows.set('s', 'k', '1');
    await database.ask('DROP TABLE pincer_dexto');
    await expect(rows.get('s', 'k')).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await rows.get('s', 'k')).toBeUndefined();
    await rows.close();
  });

  test('connects with the first use, with no more connections than it may', async () => {
    const rows = createPostgresRows({ ...world.deps, url: proxy.url, maxConnections: 2 });
    expect(rows.isConnected()).toBe(false);
    expect(proxy.connections()).toBe(0);
    let most = 0;
    const writes = Array.from({ length: 20 }, async (_, index) => {
      await rows.append('s', `many ${index % 5}`, '1');
      most = Math.max(most, proxy.connections());
    });
    await Promise.all(writes);
    expect(rows.isConnected()).toBe(true);
    expect(most).toBe(2);
    await rows.close();
  });

  test('says that the server is away, and goes on when it is back', async () => {
    const rows = createPostgresRows({ ...world.deps, url: proxy.url });
    await rows.set('s', 'away', '1');
    proxy.goAway();
    const { port } = new URL(proxy.url);
    for (const use of [() => rows.get('s', 'away'), () => rows.append('s', 'list', '1')])
      await expect(use()).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining(`PostgreSQL at 127.0.0.1:${port} can't be reached: `) as string,
      });
    expect(rows.isConnected()).toBe(false);
    proxy.comeBack();
    expect(await rows.get('s', 'away')).toBe('1');
    await rows.close();
  });

  test('does not show that all of its connections were ended while nobody used them', async () => {
    const rows = createPostgresRows({ ...world.deps, url: proxy.url, maxConnections: 3 });
    const writeAll = async (): Promise<void> => {
      await Promise.all(['a', 'b', 'c'].map((key) => rows.append('s', `ended ${key}`, '1')));
    };
    await writeAll();
    await database.ask(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await writeAll();
    proxy.goAway();
    proxy.comeBack();
    await writeAll();
    expect(await rows.get('s', 'ended a')).toBe('[1,1,1]');
    await rows.close();
  });

  test('does not wait for a server that never answers', async () => {
    const rows = createPostgresRows({ ...world.deps, url: proxy.url, limitMs: 100 });
    proxy.hang();
    await expect(rows.get('s', 'k')).rejects.toMatchObject({ code: 'storage_timeout' });
    proxy.comeBack();
    await rows.close();
  });

  test('does not wait for another who keeps a key locked', async () => {
    const rows = createPostgresRows({ ...world.deps, url: database.url, limitMs: 300 });
    await rows.set('s', 'locked', '1');
    const held = createPostgresRows({ ...world.deps, url: database.url });
    const holding = database.ask(
      'SELECT pg_advisory_lock($1), pg_sleep(1)',
      lockNumberOf('pincer_dexto 1 s locked'),
    );
    await expect
      .poll(async () => (await database.ask("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).length)
      .toBeGreaterThan(0);
    await expect(rows.append('s', 'locked', '2')).rejects.toMatchObject({ code: 'storage_timeout' });
    expect(await held.get('s', 'locked')).toBe('1');
    await holding;
    await held.close();
    await rows.close();
  });

  test('tells no password, wherever it fails', async () => {
    const url = new URL(database.url);
    url.password = 'hunter2%20secret';
    const rows = createPostgresRows({ ...world.deps, url: url.href });
    const failed = await rows.get('s', 'k').catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'storage_unavailable' });
    expect((failed as Error).cause).toBeUndefined();
    expect(String(failed)).toContain('password authentication failed');
    expect(JSON.stringify(failed) + String(failed)).not.toContain('hunter2');
    await rows.close();
  });

  test('sends a server nothing of the environment that its address does not name', async () => {
    const url = new URL(database.url);
    process.env['PGPASSWORD'] = decodeURIComponent(url.password);
    try {
      url.password = '';
      const rows = createPostgresRows({ ...world.deps, url: url.href });
      await expect(rows.get('s', 'k')).rejects.toMatchObject({ code: 'storage_unavailable' });
      await rows.close();
    } finally {
      delete process.env['PGPASSWORD'];
    }
  });
});
