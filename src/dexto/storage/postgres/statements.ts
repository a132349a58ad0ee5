/** Everything that is asked of PostgreSQL. `tenant` is the scope; of the items of a key number 0 is the value that was set. */
export const statements = {
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
