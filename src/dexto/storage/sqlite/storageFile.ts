// Threat: an agent file of the workspace names a database of another program, which would be read and replaced, or brings one of
// its own with triggers in it. So nothing is opened that does not carry our mark, and nothing in it runs but our statements.
import type { Database, SqlJsStatic, SqlValue } from 'sql.js';
import { errorMessage } from '../../../base/errors.ts';
import { damagedFile, notOurFile } from '../storageErrors.ts';

/** Of the whole file; PostgreSQL is there for more. */
export const maxFileBytes = 256 * 1_024 * 1_024;

/** `PnS` in ASCII, and the version of the table. */
const applicationId = 0x506e_5301;
const magic = 'SQLite format 3\0';
export const headerLength = 100;
const generationAt = 60;
const markAt = 68;

const table =
  'CREATE TABLE pincer_dexto (tenant TEXT NOT NULL, key TEXT NOT NULL, item INTEGER NOT NULL CHECK (item >= 0), value TEXT NOT NULL, PRIMARY KEY (tenant, key, item)) STRICT, WITHOUT ROWID';

/** Lost with each export, which opens the database anew. It lies in memory: nothing need be synced. */
const pragmas = [
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'journal_mode = MEMORY',
  'synchronous = OFF',
  'temp_store = MEMORY',
  'secure_delete = ON',
  `max_page_count = ${maxFileBytes / 4_096}`,
];

/** Before anything is asked of a database, and after each `export`. */
export function prepare(database: Database): void {
  for (const pragma of pragmas) run(database, `PRAGMA ${pragma}`);
}

export function createEmpty(sqlite: SqlJsStatic): Database {
  const database = new sqlite.Database();
  prepare(database);
  // Each writing writes the whole file: what was deleted must not stay in it as room.
  run(database, 'PRAGMA auto_vacuum = FULL');
  run(database, `PRAGMA application_id = ${applicationId}`);
  run(database, table);
  return database;
}

/** A database from its bytes. @throws PincerError `storage_foreign_file`, `storage_damaged` */
export function openBytes(sqlite: SqlJsStatic, file: string, bytes: Uint8Array): Database {
  if (!isOurs(bytes)) throw notOurFile(file);
  const database = new sqlite.Database(bytes);
  const fault = faultOf(database);
  if (fault === undefined) return database;
  database.close();
  throw damagedFile(file, fault);
}

function faultOf(database: Database): string | undefined {
  try {
    prepare(database);
    const [checked] = all(database, 'PRAGMA quick_check(1)');
    if (checked?.[0] !== 'ok') return `${String(checked?.[0])}.`;
    const schema = all(database, 'SELECT sql FROM sqlite_schema').map(([sql]) => sql);
    return schema.length === 1 && schema[0] === table ? undefined : 'it has other tables than ours.';
  } catch (error) {
    return `${errorMessage(error)}.`;
  }
}

function isOurs(bytes: Uint8Array): boolean {
  const begin = new TextDecoder('latin1').decode(bytes.subarray(0, magic.length));
  return bytes.length >= headerLength && begin === magic && numberAt(bytes, markAt) === applicationId;
}

/** Which writing of the file it is, from its first bytes. */
export function generationOf(header: Uint8Array): number {
  return header.length < headerLength ? 0 : numberAt(header, generationAt);
}

/** How many rows were ever changed through this database. */
export function changesOf(database: Database): number {
  return Number(all(database, 'SELECT total_changes()')[0]?.[0]);
}

/** Makes the next writing: others see by it that the file has changed, whatever the clock says. */
export function countUp(database: Database): void {
  const [row] = all(database, 'PRAGMA user_version');
  const next = (Number(row?.[0] ?? 0) + 1) % 0x7fff_ffff;
  run(database, `PRAGMA user_version = ${next}`);
}

function numberAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);
}

export function run(database: Database, sql: string, ...values: readonly SqlValue[]): void {
  database.run(sql, [...values]);
}

export function all(
  database: Database,
  sql: string,
  ...values: readonly SqlValue[]
): readonly (readonly SqlValue[])[] {
  const statement = database.prepare(sql, [...values]);
  try {
    const rows: SqlValue[][] = [];
    while (statement.step()) rows.push(statement.get());
    return rows;
  } finally {
    statement.free();
  }
}
