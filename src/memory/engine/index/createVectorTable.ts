export interface VectorHit {
  readonly passage: number;
  /** -1 to 1. */
  readonly cosine: number;
}

/** The vectors of all passages in one block of memory, so that comparing with all of them is one run over it. */
export interface VectorTable {
  /** One that is there is replaced. Vectors have length 1 and all the same number of dimensions. */
  set(passage: number, vector: Float32Array): void;
  /** One that is not there is no error. */
  remove(passage: number): void;
  /** The nearest, best first, equal ones by number. A smaller limit gives the head of the same list. */
  nearest(query: Float32Array, limit: number, accepts?: (passage: number) => boolean): readonly VectorHit[];
  /** Undefined where the passage has no vector. */
  cosine(passage: number, query: Float32Array): number | undefined;
  readonly size: number;
}

/** Vectors of other dimensions than the first are left out: they come of a model that changed behind its name. */
export function createVectorTable(): VectorTable {
  const rowOf = new Map<number, number>();
  const passages: number[] = [];
  let dimensions = 0;
  let values = new Float32Array(0);

  const rowAt = (row: number): Float32Array => values.subarray(row * dimensions, (row + 1) * dimensions);

  const makeRoom = (): void => {
    if ((passages.length + 1) * dimensions <= values.length) return;
    const grown = new Float32Array(Math.max(64, Math.ceil(passages.length * 1.5)) * dimensions);
    grown.set(values);
    values = grown;
  };

  return {
    set(passage, vector) {
      if (passages.length === 0) dimensions = vector.length;
      if (vector.length !== dimensions) return;
      let row = rowOf.get(passage);
      if (row === undefined) {
        makeRoom();
        row = passages.push(passage) - 1;
        rowOf.set(passage, row);
      }
      values.set(vector, row * dimensions);
    },
    remove(passage) {
      const row = rowOf.get(passage);
      const last = passages.at(-1);
      if (row === undefined || last === undefined) return;
      // The last one takes its place.
      values.set(rowAt(passages.length - 1), row * dimensions);
      passages[row] = last;
      rowOf.set(last, row);
      passages.pop();
      rowOf.delete(passage);
    },
    nearest(query, limit, accepts = () => true) {
      if (query.length !== dimensions) return [];
      const best = createBest(limit);
      for (const [row, passage] of passages.entries()) {
        const cosine = dot(values, row * dimensions, query);
        if (cosine > best.floor() && accepts(passage)) best.add({ passage, cosine });
      }
      return best.take();
    },
    cosine(passage, query) {
      const row = rowOf.get(passage);
      return row === undefined || query.length !== dimensions
        ? undefined
        : dot(values, row * dimensions, query);
    },
    get size() {
      return passages.length;
    },
  };
}

function dot(values: Float32Array, from: number, query: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (values[from + at] ?? 0) * (query[at] ?? 0);
  return sum;
}

/** Keeps the best, sorting only now and then. */
function createBest(limit: number): {
  floor(): number;
  add(hit: VectorHit): void;
  take(): readonly VectorHit[];
} {
  let hits: VectorHit[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const cut = (): void => {
    hits.sort((a, b) => b.cosine - a.cosine || a.passage - b.passage);
    if (hits.length <= limit) return;
    hits = hits.slice(0, limit);
    // Equal ones may still have to come in by their number.
    floor = (hits.at(-1)?.cosine ?? floor) - Number.EPSILON;
  };
  return {
    floor: () => floor,
    add(hit) {
      hits.push(hit);
      if (hits.length >= 2 * limit + 64) cut();
    },
    take() {
      cut();
      return hits;
    },
  };
}
