import type { Database, SqlJsStatic } from 'sql.js';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { createStatements, type Statements } from './createStatements.ts';
import { createStore, type StoreParts } from './createStore.ts';
import { findFault } from './findFault.ts';
import type { MemoryStore, OpenedStore } from './memoryStore.ts';
import { findSealFault } from './seal.ts';
import { applicationId, openingPragmas, tables } from './schema.ts';

export interface OpenStoreOptions {
  readonly fs: Pick<FileSystem, 'stat' | 'readFile' | 'writeFile'>;
  /** From `loadSqlite`. */
  readonly sqlite: SqlJsStatic;
  /** Absolute path of the index file. */
  readonly file: string;
  /** What an empty one goes on from, such as one that takes another's place; default 0. */
  readonly generation?: number;
}

interface OpenDatabase {
  readonly database: Database;
  readonly statements: Statements;
}

/** A larger index is not one that we wrote. */
const maxBytes = 1_000_000_000;

/**
 * The index as the file has it or, where there is none that can be used, an empty one: it is derived data. Never
 * rejects for what the file is.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const bytes = await readIndex(options);
  if (bytes === undefined)
    return { store: createEmpty(options, { bytes: 0, isChanged: false }), state: 'new' };
  if (bytes instanceof PincerError) return unusable(options, 0, bytes.message);
  const opened = openDatabase(options, bytes);
  return typeof opened === 'string'
    ? unusable(options, bytes.length, opened)
    : {
        store: createStore({ ...options, ...opened, bytes: bytes.length, isChanged: false }),
        state: 'loaded',
      };
}

function unusable(options: OpenStoreOptions, bytes: number, problem: string): OpenedStore {
  // It is to be replaced even if nothing is found to be put into the new one.
  return { store: createEmpty(options, { bytes, isChanged: true }), state: 'unusable', problem };
}

async function readIndex({ fs, file }: OpenStoreOptions): Promise<Uint8Array | PincerError | undefined> {
  try {
    return (await fs.stat(file)) === undefined ? undefined : await fs.readFile(file, maxBytes);
  } catch (error) {
    if (error instanceof PincerError) return error;
    throw error;
  }
}

/** The database, or why it can't be used. */
function openDatabase({ sqlite }: OpenStoreOptions, bytes: Uint8Array): OpenDatabase | string {
  const sealFault = findSealFault(bytes);
  if (sealFault !== undefined) return sealFault;
  const opened = openBytes(sqlite, bytes);
  const fault = faultOf(opened.statements);
  if (fault === undefined) return opened;
  opened.database.close();
  return fault;
}

function faultOf(statements: Statements): string | undefined {
  try {
    prepareForUse(statements);
    return findFault(statements);
  } catch (error) {
    return `It can't be read: ${errorMessage(error instanceof PincerError ? error.cause : error)}.`;
  }
}

function createEmpty(options: OpenStoreOptions, start: Pick<StoreParts, 'bytes' | 'isChanged'>): MemoryStore {
  const opened = openBytes(options.sqlite, withRoomToGrow(makeTables(options)));
  prepareForUse(opened.statements);
  return createStore({ ...options, ...opened, ...start });
}

function makeTables({ sqlite, generation = 0 }: OpenStoreOptions): Uint8Array {
  const { database, statements } = openBytes(sqlite);
  for (const sql of [`PRAGMA application_id = ${applicationId}`, ...tables]) statements.run(sql);
  statements.run('INSERT INTO meta VALUES (?, ?)', 'generation', String(generation));
  const content = database.export();
  database.close();
  return content;
}

/** About 50,000 passages. */
const roomBytes = 64_000_000;

/**
 * The same database in a buffer that it does not soon outgrow: sql.js would copy the whole of it into one that is an eighth
 * larger, again and again, and what is left behind takes more memory than the index (measured: up to 30 MB more while 20,000
 * passages come in). SQLite goes by the size in its header, and a page of zeros takes no memory before it is used.
 * A `Buffer`, since sql.js takes that as it is.
 */
function withRoomToGrow(content: Uint8Array): Uint8Array {
  const room = Buffer.alloc(roomBytes);
  room.set(content);
  return room;
}

function openBytes(sqlite: SqlJsStatic, bytes?: Uint8Array): OpenDatabase {
  const database = new sqlite.Database(bytes);
  return { database, statements: createStatements(database) };
}

function prepareForUse({ run }: Statements): void {
  for (const pragma of openingPragmas) run(pragma);
}
