import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorageWorld, type StorageWorld } from '../../../test/builders/openStorageWorld.ts';

let world: StorageWorld;
beforeEach(async () => {
  world = await openStorageWorld();
});
afterEach(() => world.close());

describe('the storage of an agent', () => {
  it('opens nothing before its first use, and nothing for who only closes it', async () => {
    const storage = world.open({
      database: { type: 'sqlite' },
      cache: { type: 'redis', url: 'no address' },
      blob: { type: 'local' },
    });
    const { database, cache, blob } = storage.forTenant({ tenantId: 'a' });
    expect([database.isConnected(), cache.isConnected()]).toEqual([false, false]);
    expect(await blob.listBlobs()).toEqual([]);
    expect(await readdir(world.folder)).toEqual([]);
    await storage.close();
    await expect(database.get('k')).rejects.toMatchObject({ code: 'storage_closed' });
  });

  it('tells who uses a backend what is wrong with its address, and again', async () => {
    const { database, cache } = world
      .open({
        database: { type: 'postgres', url: 'postgres://u:hunter2@h' },
        cache: { type: 'redis', url: 'http://:hunter2@h' },
      })
      .forTenant(undefined);
    for (const use of [() => database.get('k'), () => cache.set('k', 1), () => database.list('')]) {
      const failed: unknown = await use().catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 'storage_invalid_address' });
      expect(String(failed)).not.toContain('hunter2');
    }
    expect([database.getStoreType(), cache.getStoreType()]).toEqual(['postgres', 'redis']);
  });

  it('keeps its files where the agent file says, and else in its own folder', async () => {
    const usual = world.open({ database: { type: 'sqlite' } });
    await usual.forTenant(undefined).database.set('k', 1);
    const path = join(world.folder, 'elsewhere', 'data.sqlite');
    const other = world.open({ database: { type: 'sqlite', path } });
    expect(await other.forTenant(undefined).database.get('k')).toBeUndefined();
    await other.forTenant(undefined).database.set('k', 2);
    expect(existsSync(path)).toBe(true);
    expect((await readdir(world.folder)).sort()).toEqual([
      'elsewhere',
      'storage.sqlite',
      'storage.sqlite.lock',
    ]);
  });

  it('says that the installation is broken where the database engine is missing', async () => {
    const storage = world.open(
      { database: { type: 'sqlite' } },
      { wasmFile: join(world.folder, 'none.wasm') },
    );
    await expect(storage.forTenant(undefined).database.get('k')).rejects.toMatchObject({
      code: 'database_engine_broken',
    });
  });

  it('gives plugins nothing that they could change for others', () => {
    const storage = world.open({});
    const backends = storage.forTenant(undefined);
    for (const part of [backends, backends.database, backends.cache, backends.blob])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('keeps what was set while it closes', async () => {
    const storage = world.open({ database: { type: 'sqlite' } });
    const writing = storage.forTenant(undefined).database.set('k', 1);
    await storage.close();
    await writing;
    const again = world.open({ database: { type: 'sqlite' } });
    expect(await again.forTenant(undefined).database.get('k')).toBe(1);
  });
});
