import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorageWorld, type StorageWorld } from '../../../test/builders/openStorageWorld.ts';
import { PincerError } from '../../base/errors.ts';
import type { BlobConfig } from '../agentFile/storageConfig.ts';

let world: StorageWorld;
beforeEach(async () => {
  world = await openStorageWorld();
});
afterEach(() => world.close());

const backends: { type: string; config: BlobConfig }[] = [
  { type: 'in-memory', config: { type: 'in-memory' } },
  { type: 'local', config: { type: 'local' } },
];

describe.for(backends)('blobs of type $type', ({ type, config }) => {
  it('are given back as they were stored, by id and by uri', async () => {
    const { blob } = world.open({ blob: config }).forTenant({ tenantId: 'a' });
    const bytes = new Uint8Array([0, 255, 10]);
    const stored = await blob.store(bytes, { mimeType: 'image/png', originalName: '../../x.png', n: 1 });
    bytes.fill(7);
    expect(stored).toEqual({
      id: stored.id,
      uri: `blob:${stored.id}`,
      size: 3,
      metadata: { mimeType: 'image/png', originalName: '../../x.png', n: 1 },
    });
    for (const reference of [stored.id, stored.uri]) {
      expect(await blob.retrieve(reference)).toEqual({
        data: new Uint8Array([0, 255, 10]),
        metadata: stored.metadata,
      });
      expect(await blob.exists(reference)).toBe(true);
    }
    const text = await blob.store('grüße');
    expect(new TextDecoder().decode((await blob.retrieve(text.uri))?.data)).toBe('grüße');
    const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
    expect((await blob.listBlobs()).sort(byId)).toEqual([stored, text].sort(byId));
    await blob.delete(stored.uri);
    await blob.delete(stored.uri);
    expect(await blob.retrieve(stored.id)).toBeUndefined();
    expect(await blob.listBlobs()).toEqual([text]);
    expect(blob.getStoreType()).toBe(type);
    expect(blob.isConnected()).toBe(true);
  });

  it('take no name that is not theirs', async () => {
    const { blob } = world.open({ blob: config }).forTenant({ tenantId: 'a' });
    const { id } = await blob.store('x');
    for (const reference of ['', '../x', `../${id}`, `${id}/../${id}`, 'blob:', `${id}.json`]) {
      expect(await blob.retrieve(reference)).toBeUndefined();
      expect(await blob.exists(reference)).toBe(false);
      await blob.delete(reference);
    }
    expect(await blob.exists(id)).toBe(true);
  });

  it("of one tenant are nobody else's, whatever the others are called", async () => {
    const storage = world.open({ blob: config });
    const { id } = await storage.forTenant({ tenantId: 'a' }).blob.store('secret');
    for (const tenant of [
      { tenantId: 'A' },
      { tenantId: '../a' },
      { tenantId: 'a/' },
      { userId: 'a' },
      undefined,
    ]) {
      const { blob } = storage.forTenant(tenant);
      expect(await blob.retrieve(id)).toBeUndefined();
      expect(await blob.listBlobs()).toEqual([]);
      await blob.delete(id);
    }
    expect(await storage.forTenant({ tenantId: 'a', userId: 'u' }).blob.exists(id)).toBe(true);
  });

  it('have a limit, and so have their metadata', async () => {
    const { blob } = world.open({ blob: config }).forTenant(undefined);
    await expect(blob.store(new Uint8Array(50_000_001))).rejects.toMatchObject({
      code: 'storage_too_large',
      message: 'The blob has 50.1 MB; the storage takes up to 50 MB.',
    });
    await expect(blob.store('x', { note: 'x'.repeat(64_001) })).rejects.toMatchObject({
      code: 'storage_too_large',
    });
    expect((await blob.store(new Uint8Array(10_000_000))).size).toBe(10_000_000);
  });
});

describe('blobs in files', () => {
  it('outlive the process, in files for the user alone, whose names are ours', async () => {
    const first = world.open({ blob: { type: 'local', storePath: join(world.folder, 'b') } });
    const { id } = await first.forTenant({ tenantId: '../../evil' }).blob.store('x');
    const other = world.open({ blob: { type: 'local', storePath: join(world.folder, 'b') } });
    expect(await other.forTenant({ tenantId: '../../evil' }).blob.exists(id)).toBe(true);
    expect(await readdir(world.folder)).toEqual(['b']);
    const [tenant] = await readdir(join(world.folder, 'b'));
    expect(tenant).toMatch(/^[\da-f]{64}$/u);
    const folder = join(world.folder, 'b', tenant!);
    expect((await readdir(folder)).sort()).toEqual([`${id}.bin`, `${id}.json`]);
    expect(await readFile(join(folder, `${id}.bin`), 'utf8')).toBe('x');
    if (process.platform === 'win32') return;
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, `${id}.bin`))).mode & 0o777).toBe(0o600);
  });

  it('go by the limit of the agent file', async () => {
    const { blob } = world.open({ blob: { type: 'local', maxBlobSize: 4 } }).forTenant(undefined);
    expect((await blob.store('1234')).size).toBe(4);
    await expect(blob.store('äää')).rejects.toMatchObject({ code: 'storage_too_large' });
  });

  it('are not there when only a half of one was written', async () => {
    const fs: typeof world.deps.fs = {
      ...world.deps.fs,
      stageExact: (place, ...rest) =>
        place.path.endsWith('.json')
          ? Promise.reject(new PincerError('io_disk_full', 'The disk is full.'))
          : world.deps.fs.stageExact(place, ...rest),
    };
    const { blob } = world.open({ blob: { type: 'local' } }, { fs }).forTenant(undefined);
    await expect(blob.store('x')).rejects.toMatchObject({ code: 'io_disk_full' });
    const after = world.open({ blob: { type: 'local' } }).forTenant(undefined).blob;
    expect(await after.listBlobs()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('are not read through a link that somebody put there', async () => {
    const { blob } = world.open({ blob: { type: 'local' } }).forTenant(undefined);
    const { id } = await blob.store('x');
    const [tenant] = await readdir(join(world.folder, 'blobs'));
    const secret = join(world.folder, 'secret');
    await writeFile(secret, 'secret');
    const linked = '00000000-0000-0000-0000-000000000000';
    await symlink(secret, join(world.folder, 'blobs', tenant!, `${linked}.bin`));
    await writeFile(join(world.folder, 'blobs', tenant!, `${linked}.json`), '{"size":6,"metadata":{}}');
    await expect(blob.retrieve(linked)).rejects.toMatchObject({ code: 'io_moved' });
    expect(await blob.exists(id)).toBe(true);
  });
});
