import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SqlJsStatic } from 'sql.js';
import { PincerError } from '../../base/errors.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { MemoryStore } from './memoryStore.ts';
import { openStore, type OpenStoreOptions } from './openStore.ts';
import { loadTestSqlite } from '../../../test/builders/openStoreWorld.ts';

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

describe('a save', () => {
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
