import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorageWorld, type StorageWorld } from '../../../../test/builders/openStorageWorld.ts';
import { PincerError } from '../../../base/errors.ts';
import { createWriterLock } from '../../../host/createWriterLock.ts';
import { loadSqlite } from '../../../host/loadSqlite.ts';
import type { FileSystem } from '../../../host/ports.ts';
import type { RowStore } from '../backends.ts';
import { createSqliteRows, type SqliteOptions } from './createSqliteRows.ts';

let world: StorageWorld;
let file: string;
let opened: RowStore[];
beforeEach(async () => {
  world = await openStorageWorld();
  file = join(world.folder, 'deep', 'storage.sqlite');
  opened = [];
});
afterEach(async () => {
  for (const rows of opened) await rows.close();
  await world.close();
});

async function openRows(changes: Partial<SqliteOptions> = {}): Promise<RowStore> {
  const sqlite = await loadSqlite(world.deps.fs, world.deps.wasmFile);
  const rows = createSqliteRows({ ...world.deps, sqlite, file, ...changes });
  opened.push(rows);
  return rows;
}

describe('a database file', () => {
  it('is for its user alone, and whole after each writing', async () => {
    const rows = await openRows();
    await rows.set('s', 'k', '1');
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await (await openRows()).get('s', 'k')).toBe('1');
    expect((await readdir(join(file, '..'))).sort()).toEqual(['storage.sqlite', 'storage.sqlite.lock']);
  });

  it('is written once for all that is asked for while it is written', async () => {
    let writings = 0;
    const fs: FileSystem = {
      ...world.deps.fs,
      writeFile: (path, ...rest) => {
        if (path === file) writings += 1;
        return world.deps.fs.writeFile(path, ...rest);
      },
    };
    const rows = await openRows({ fs });
    await Promise.all(Array.from({ length: 100 }, (_, index) => rows.append('s', 'k', String(index))));
    expect(writings).toBeLessThanOrEqual(2);
    await rows.delete('s', 'nothing');
    await rows.get('s', 'k');
    expect(writings).toBeLessThanOrEqual(2);
    expect(await rows.range('s', 'k', 98, 5)).toEqual(['98', '99']);
  });

  it('shrinks when what was large is deleted, and keeps nothing of it', async () => {
    const rows = await openRows();
    await rows.set('s', 'k', '1');
    const small = (await stat(file)).size;
    await rows.set('s', 'large', JSON.stringify('secret '.repeat(100_000)));
    expect((await stat(file)).size).toBeGreaterThan(700_000);
    await rows.delete('s', 'large');
    expect((await stat(file)).size).toBeLessThanOrEqual(small + 8_192);
    expect((await readFile(file)).includes('secret')).toBe(false);
  });

  it('is read again when another window wrote it within the same tick of the clock, at the same size', async () => {
    const one = await openRows();
    const other = await openRows();
    const stopTheClock = (): Promise<void> => utimes(file, 1_000, 1_000);
    await one.set('s', 'k', '1');
    await stopTheClock();
    expect(await other.get('s', 'k')).toBe('1');
    await one.set('s', 'k', '2');
    await stopTheClock();
    expect(await other.get('s', 'k')).toBe('2');
    await one.set('s', 'k', '3');
    await stopTheClock();
    await other.append('s', 'list', '1');
    expect(await one.get('s', 'k')).toBe('3');
  });

  it('fails what could not be written, forgets it, and goes on', async () => {
    let isFull = false;
    const fs: FileSystem = {
      ...world.deps.fs,
      writeFile: (path, ...rest) =>
        isFull && path === file
          ? Promise.reject(new PincerError('io_disk_full', 'The disk is full.'))
          : world.deps.fs.writeFile(path, ...rest),
    };
    const rows = await openRows({ fs });
    await rows.set('s', 'k', '1');
    isFull = true;
    const failed = await Promise.allSettled([rows.set('s', 'k', '2'), rows.append('s', 'list', '1')]);
    for (const each of failed)
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'io_disk_full' } });
    expect(await rows.get('s', 'k')).toBe('1');
    isFull = false;
    await rows.append('s', 'list', '2');
    expect(await rows.get('s', 'list')).toBe('[2]');
  });

  it('fails the one change that must not be, and writes those that came with it', async () => {
    const rows = await openRows();
    await rows.set('s', 'text', '"no list"');
    const results = await Promise.allSettled([
      rows.set('s', 'a', '1'),
      rows.append('s', 'text', '1'),
      rows.set('s', 'b', '2'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const again = await openRows();
    expect(await again.get('s', 'a')).toBe('1');
    expect(await again.get('s', 'b')).toBe('2');
    expect(await again.get('s', 'text')).toBe('"no list"');
  });

  it('waits for another window that writes, but not for ever', async () => {
    const lock = createWriterLock({ ...world.deps, folder: `${file}.lock` });
    expect(await lock.tryAcquire()).toBe(true);
    const rows = await openRows({ limitMs: 50 });
    await expect(rows.set('s', 'k', '1')).rejects.toMatchObject({ code: 'storage_busy' });
    await lock.release();
    await rows.set('s', 'k', '1');
    expect(await rows.get('s', 'k')).toBe('1');
  });

  it('of another program is neither read nor written', async () => {
    await world.deps.fs.makeDirectory(join(file, '..'));
    const sqlite = await loadSqlite(world.deps.fs, world.deps.wasmFile);
    const foreign = new sqlite.Database();
    foreign.run('CREATE TABLE cookies (value TEXT)');
    for (const content of [foreign.export(), new Uint8Array(), Buffer.from('text')]) {
      await writeFile(file, content);
      const rows = await openRows();
      await expect(rows.get('s', 'k')).rejects.toMatchObject({ code: 'storage_foreign_file' });
      await expect(rows.set('s', 'k', '1')).rejects.toMatchObject({ code: 'storage_foreign_file' });
      expect(await readFile(file)).toEqual(Buffer.from(content));
    }
  });

  it('that is damaged, or holds more than our table, is left as it is', async () => {
    await (await openRows()).set('s', 'k', JSON.stringify('x'.repeat(50_000)));
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 8_192, 12_288);
    const sqlite = await loadSqlite(world.deps.fs, world.deps.wasmFile);
    const more = new sqlite.Database(whole);
    more.run('CREATE TRIGGER t AFTER INSERT ON pincer_dexto BEGIN DELETE FROM pincer_dexto; END');
    for (const content of [damaged, more.export()]) {
      await writeFile(file, content);
      const rows = await openRows();
      await expect(rows.set('s', 'k', '1')).rejects.toMatchObject({ code: 'storage_damaged' });
      expect(await readFile(file)).toEqual(Buffer.from(content));
    }
  });
});
