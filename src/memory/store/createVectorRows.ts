import { toBytes, toNumber } from './columns.ts';
import type { Statements } from './createStatements.ts';
import type { VectorSpace } from './memoryStore.ts';

export interface VectorRows {
  readonly set: (passage: number, space: VectorSpace, vector: Float32Array) => void;
  readonly each: (space: VectorSpace, take: (passage: number, vector: Float32Array) => void) => void;
  readonly passagesWithout: (space: VectorSpace, limit: number) => readonly number[];
  readonly count: (space: VectorSpace) => number;
  readonly keepOnly: (space: VectorSpace) => void;
  readonly cached: (space: VectorSpace, hash: string) => Float32Array | undefined;
  readonly cache: (space: VectorSpace, hash: string, vector: Float32Array) => void;
  /** Drops vectors that no passage has, but for the latest: a file may come back, as after a checkout. */
  readonly prune: () => void;
}

const keptUnused = 2_000;

/** Vectors by the text they belong to, and which passage has which: `embedding_cache`, `chunks_vec`, `embedding_spaces`. */
export function createVectorRows({ run, first, all, each, inTransaction }: Statements): VectorRows {
  const find = ({ provider, model, providerKey }: VectorSpace): number | undefined => {
    const sql = 'SELECT id FROM embedding_spaces WHERE provider = ? AND model = ? AND provider_key = ?';
    const row = first(sql, provider, model, providerKey);
    return row && toNumber(row[0]);
  };
  const idOf = (space: VectorSpace): number => {
    const sql = 'INSERT INTO embedding_spaces (provider, model, provider_key) VALUES (?, ?, ?) RETURNING id';
    return find(space) ?? toNumber(first(sql, space.provider, space.model, space.providerKey)?.[0]);
  };
  const cache = (space: VectorSpace, hash: string, vector: Float32Array): number => {
    const sql = `INSERT INTO embedding_cache (space, hash, dims, embedding) VALUES (?, ?, ?, ?)
      ON CONFLICT (space, hash) DO UPDATE SET dims = excluded.dims, embedding = excluded.embedding RETURNING id`;
    return toNumber(first(sql, idOf(space), hash, vector.length, toBlob(vector))?.[0]);
  };
  return {
    cache: (space, hash, vector) => void cache(space, hash, vector),
    cached(space, hash) {
      const row = first(
        'SELECT embedding FROM embedding_cache WHERE space = ? AND hash = ?',
        find(space) ?? null,
        hash,
      );
      return row && toVector(toBytes(row[0]));
    },
    set(passage, space, vector) {
      const row = first('SELECT hash FROM chunks WHERE id = ?', passage);
      // It may have been replaced while its vector was on the way.
      if (row === undefined) return;
      inTransaction(() => {
        const embedding = cache(space, String(row[0]), vector);
        run('INSERT OR REPLACE INTO chunks_vec VALUES (?, ?, ?)', passage, idOf(space), embedding);
      });
    },
    each(space, take) {
      const sql = `SELECT chunks_vec.id, embedding_cache.embedding FROM chunks_vec
        JOIN embedding_cache ON embedding_cache.id = chunks_vec.embedding WHERE chunks_vec.space = ?`;
      each(sql, [find(space) ?? null], ([passage, blob]) => {
        const vector = toVector(toBytes(blob));
        if (vector !== undefined) take(toNumber(passage), vector);
      });
    },
    passagesWithout(space, limit) {
      const sql = `SELECT id FROM chunks WHERE id NOT IN (SELECT id FROM chunks_vec WHERE space = ?)
        ORDER BY id LIMIT ?`;
      return all(sql, find(space) ?? null, limit).map(([id]) => toNumber(id));
    },
    count: (space) =>
      toNumber(first('SELECT count(*) FROM chunks_vec WHERE space = ?', find(space) ?? null)?.[0]),
    keepOnly: (space) =>
      inTransaction(() => {
        const kept = idOf(space);
        for (const table of ['chunks_vec', 'embedding_cache'])
          run(`DELETE FROM ${table} WHERE space <> ?`, kept);
        run('DELETE FROM embedding_spaces WHERE id <> ?', kept);
      }),
    prune() {
      const sql = `DELETE FROM embedding_cache WHERE id IN (SELECT id FROM embedding_cache
        WHERE id NOT IN (SELECT embedding FROM chunks_vec) ORDER BY id DESC LIMIT -1 OFFSET ${keptUnused})`;
      run(sql);
    },
  };
}

function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Undefined for one whose numbers are none: comparing with it would give no order. */
function toVector(blob: Uint8Array): Float32Array | undefined {
  const vector = new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
  return vector.every(Number.isFinite) ? vector : undefined;
}
