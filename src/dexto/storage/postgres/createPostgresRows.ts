import type { RowStore } from '../backends.ts';
import { notAList } from '../storageErrors.ts';
import { itemsOf, joinRows, type StoredRows } from '../listTexts.ts';
import { createPostgresPool, type PostgresOptions, type Query } from './createPostgresPool.ts';

interface Row {
  readonly is_value: boolean;
  readonly value: string;
}

/** `tenant` is the scope. Row with item 0: the value from `set`; items from 1 on: appended values. */
const statements = {
  isThere: `SELECT to_regclass('pincer_dexto') IS NOT NULL AS found`,
  /** Bytes are compared, so that a key is found as it was written in every locale of a server. */
  create: `CREATE TABLE IF NOT EXISTS pincer_dexto (
    tenant text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    item bigint NOT NULL CHECK (item >= 0),
    value text NOT NULL,
    PRIMARY KEY (tenant, key, item)
  )`,
  get: 'SELECT item = 0 AS is_value, value FROM pincer_dexto WHERE tenant = $1 AND key = $2 ORDER BY item',
  remove: 'DELETE FROM pincer_dexto WHERE tenant = $1 AND key = $2',
  set: `WITH others AS (DELETE FROM pincer_dexto WHERE tenant = $1 AND key = $2 AND item > 0)
    INSERT INTO pincer_dexto (tenant, key, item, value) VALUES ($1, $2, 0, $3)
    ON CONFLICT (tenant, key, item) DO UPDATE SET value = excluded.value`,
  keys: 'SELECT DISTINCT key FROM pincer_dexto WHERE tenant = $1 AND key >= $2 AND starts_with(key, $2)',
  /** Adds nothing where a value was set that is no list. */
  append: `INSERT INTO pincer_dexto (tenant, key, item, value)
    SELECT $1, $2, coalesce(max(item), 0) + 1, $3 FROM pincer_dexto WHERE tenant = $1 AND key = $2
    HAVING coalesce(bool_and(left(value, 1) = '[') FILTER (WHERE item = 0), true)`,
  /** The value that was set, and of what was appended the part that a range from $3 on with $4 items can need. */
  range: `WITH head AS (
      SELECT value, CASE WHEN left(value, 1) = '[' THEN json_array_length(value::json) ELSE 0 END AS length
      FROM pincer_dexto WHERE tenant = $1 AND key = $2 AND item = 0
    )
    SELECT true AS is_value, 0 AS item, value FROM head
    UNION ALL (
      SELECT false, item, value FROM pincer_dexto WHERE tenant = $1 AND key = $2 AND item > 0
      ORDER BY item
      OFFSET greatest($3::bigint - coalesce((SELECT length FROM head), 0), 0) LIMIT $4::bigint
    )
    ORDER BY item`,
} as const;

/**
 * A database in PostgreSQL, which any number of processes share: one table, made with the first use. It takes PostgreSQL 11 or
 * later, and a user who may make tables or finds this one there.
 */
export function createPostgresRows(options: PostgresOptions): RowStore {
  const pool = createPostgresPool(options);
  let table: Promise<void> | undefined;

  /** Once; after an error again, as somebody may have dropped the table. */
  const prepared = async <T>(work: () => Promise<T>): Promise<T> => {
    const making = (table ??= makeTable());
    try {
      await making;
      return await work();
    } catch (error) {
      if (table === making) table = undefined;
      throw error;
    }
  };
  const makeTable = async (): Promise<void> => {
    const [first] = await pool.read((query) => query<{ readonly found: boolean }>(statements.isThere));
    if (first?.found === true) return;
    // Two that make it at the same time would get in each other's way, whatever IF NOT EXISTS says.
    await pool.write('pincer_dexto', (query) => query(statements.create));
  };
  const read = <T>(statement: string, values: readonly unknown[]): Promise<readonly T[]> =>
    prepared(() => pool.read((query) => query<T>(statement, values)));
  const write = <T>(scope: string, key: string, work: (query: Query) => Promise<T>): Promise<T> =>
    prepared(() => pool.write(`pincer_dexto ${scope.length} ${scope} ${key}`, work));
  return {
    type: 'postgres',
    isConnected: () => pool.isConnected(),
    async get(scope, key) {
      return joinRows(toStoredRows(await read<Row>(statements.get, [scope, key])));
    },
    async set(scope, key, json) {
      await write(scope, key, (query) => query(statements.set, [scope, key, json]));
    },
    async delete(scope, key) {
      await write(scope, key, (query) => query(statements.remove, [scope, key]));
    },
    async keys(scope, prefix) {
      const rows = await read<{ readonly key: string }>(statements.keys, [scope, prefix]);
      return rows.map(({ key }) => key);
    },
    async append(scope, key, json) {
      await write(scope, key, async (query) => {
        const added = await query(`${statements.append} RETURNING item`, [scope, key, json]);
        if (added.length === 0) throw notAList(key);
      });
    },
    async range(scope, key, start, count) {
      const rows = await read<Row>(statements.range, [scope, key, start, count]);
      const { value, appended } = toStoredRows(rows);
      const first = itemsOf(key, value).slice(start, start + count);
      return [...first, ...appended.slice(0, count - first.length)];
    },
    close: () => pool.close(),
  };
}

function toStoredRows(rows: readonly Row[]): StoredRows {
  return {
    value: rows.find((row) => row.is_value)?.value,
    appended: rows.filter((row) => !row.is_value).map(({ value }) => value),
  };
}
