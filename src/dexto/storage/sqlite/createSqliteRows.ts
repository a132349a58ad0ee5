import type { Database, SqlJsStatic } from 'sql.js';
import { errorMessage, PincerError } from '../../../base/errors.ts';
import { createWriterLock } from '../../../host/createWriterLock.ts';
import type { Clock, FileSystem, Log } from '../../../host/ports.ts';
import type { ProcessOwner } from '../../../host/processOwner.ts';
import type { RowStore } from '../backends.ts';
import { notAList, storageFailed, storageFull } from '../storageErrors.ts';
import { isListText, itemsOf, joinRows, type StoredRows } from '../listTexts.ts';
import { serverLimitMs } from '../withinLimit.ts';
import { createSharedFile } from './createSharedFile.ts';
import { all, maxFileBytes, run } from './storageFile.ts';

export interface SqliteOptions {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly owner: ProcessOwner;
  readonly log: Log;
  readonly sqlite: SqlJsStatic;
  /** Absolute path. Beside it lies a folder for its lock. */
  readonly file: string;
  /** Milliseconds. Default: `serverLimitMs`. */
  readonly limitMs?: number;
}

/** A database in one file, which the windows of one machine share. */
export function createSqliteRows(options: SqliteOptions): RowStore {
  const { fs, clock, owner, file, limitMs = serverLimitMs } = options;
  const lock = createWriterLock({ fs, clock, owner, folder: `${file}.lock` });
  const shared = createSharedFile({ ...options, lock, limitMs });
  const read = <T>(work: (database: Database) => T): Promise<T> => shared.read(work).catch(fail);
  const write = <T>(work: (database: Database) => T): Promise<T> => shared.write(work).catch(fail);
  const fail = (error: unknown): never => {
    if (error instanceof PincerError) throw error;
    const text = errorMessage(error);
    throw text.includes('is full') ? storageFull(file, maxFileBytes) : storageFailed(file, text);
  };
  return {
    type: 'sqlite',
    isConnected: () => shared.isOpen(),
    get: (scope, key) => read((database) => joinRows(rowsOf(database, scope, key))),
    set: (scope, key, json) =>
      write((database) => {
        remove(database, scope, key);
        insert(database, scope, key, 0, json);
      }),
    delete: (scope, key) => write((database) => remove(database, scope, key)),
    keys: (scope, prefix) =>
      read((database) =>
        all(
          database,
          `SELECT DISTINCT key ${of} AND substr(key, 1, length(?)) = ?`,
          scope,
          prefix,
          prefix,
        ).map(([key]) => String(key)),
      ),
    append: (scope, key, json) =>
      write((database) => {
        const value = valueOf(database, scope, key);
        if (value !== undefined && !isListText(value)) throw notAList(key);
        const [row] = all(database, `SELECT max(item) ${of} AND key = ?`, scope, key);
        insert(database, scope, key, Number(row?.[0] ?? 0) + 1, json);
      }),
    range: (scope, key, start, count) =>
      read((database) => {
        const items = itemsOf(key, valueOf(database, scope, key));
        const first = items.slice(start, start + count);
        const from = Math.max(0, start - items.length);
        const rest = `SELECT value ${of} AND key = ? AND item > 0 ORDER BY item LIMIT ? OFFSET ?`;
        return [...first, ...texts(database, rest, scope, key, count - first.length, from)];
      }),
    close: () => shared.close(),
  };
}

const of = 'FROM pincer_dexto WHERE tenant = ?';

function rowsOf(database: Database, scope: string, key: string): StoredRows {
  const appended = texts(database, `SELECT value ${of} AND key = ? AND item > 0 ORDER BY item`, scope, key);
  return { value: valueOf(database, scope, key), appended };
}

function valueOf(database: Database, scope: string, key: string): string | undefined {
  return texts(database, `SELECT value ${of} AND key = ? AND item = 0`, scope, key)[0];
}

function texts(database: Database, sql: string, ...values: readonly (string | number)[]): readonly string[] {
  return all(database, sql, ...values).map(([value]) => String(value));
}

function remove(database: Database, scope: string, key: string): void {
  run(database, `DELETE ${of} AND key = ?`, scope, key);
}

function insert(database: Database, scope: string, key: string, item: number, json: string): void {
  run(database, 'INSERT INTO pincer_dexto VALUES (?, ?, ?, ?)', scope, key, item, json);
}
