/** For each term the passages that it occurs in: numbers of 24 bits that only grow, each with a count of 8 bits. */
export interface Postings {
  /** `slot` has to be above every one that was added before. */
  add(term: number, slot: number, count: number): void;
  /** What is not there is no error. */
  remove(term: number, slot: number): void;
  /** How many there are. */
  size(term: number): number;
  /** Entries of `slot * 256 + count`, in the order of the slots; one with the count 0 was removed. Valid until the next change. */
  of(term: number): Uint32Array;
  has(term: number, slot: number): boolean;
  /** Gives the slots other numbers, in the same order. */
  renumber(numberOf: (slot: number) => number): void;
  readonly terms: number;
  readonly bytes: number;
}

/**
 * All lists lie in one array, each in a run of cells that is a power of two long and moves into one twice as long when it is
 * full; runs that were left are used again. So an entry takes four bytes and less than four of room to grow.
 */
export function createPostings(): Postings {
  let cells = new Uint32Array(1 << 12);
  let end = 0;
  let starts = new Uint32Array(1 << 10);
  let lengths = new Uint32Array(1 << 10);
  let removed = new Uint32Array(1 << 10);
  let terms = 0;
  const free: number[][] = Array.from({ length: 33 }, () => []);

  const reserve = (power: number): number => {
    const known = free[power]?.pop();
    if (known !== undefined) return known;
    const start = end;
    end += 2 ** power;
    if (end > cells.length) cells = grown(cells, end);
    return start;
  };

  const release = (start: number, length: number): void => {
    if (length > 0) free[powerFor(length)]?.push(start);
  };

  const find = (term: number, slot: number): number => {
    let low = starts[term] ?? 0;
    let high = low + (term < terms ? (lengths[term] ?? 0) : 0);
    const last = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cells[middle] ?? 0) >>> 8 < slot) low = middle + 1;
      else high = middle;
    }
    const cell = cells[low] ?? 0;
    return low < last && cell >>> 8 === slot && (cell & 255) > 0 ? low : -1;
  };

  /** Drops the removed entries of a list. */
  const sweep = (term: number): void => {
    if (removed[term] === 0) return;
    const start = starts[term] ?? 0;
    const length = lengths[term] ?? 0;
    const kept = cells.slice(start, start + length).filter((cell) => (cell & 255) > 0);
    release(start, length);
    starts[term] = kept.length === 0 ? 0 : reserve(powerFor(kept.length));
    cells.set(kept, starts[term]);
    lengths[term] = kept.length;
    removed[term] = 0;
  };

  return {
    add(term, slot, count) {
      if (term >= starts.length) {
        starts = grown(starts, term + 1);
        lengths = grown(lengths, term + 1);
        removed = grown(removed, term + 1);
      }
      if (term >= terms) terms = term + 1;
      const length = lengths[term] ?? 0;
      // A length that is a power of two fills its run.
      if ((length & (length - 1)) === 0) {
        const from = starts[term] ?? 0;
        const to = reserve(powerFor(length + 1));
        cells.copyWithin(to, from, from + length);
        release(from, length);
        starts[term] = to;
      }
      cells[(starts[term] ?? 0) + length] = slot * 256 + count;
      lengths[term] = length + 1;
    },
    remove(term, slot) {
      const at = find(term, slot);
      if (at < 0) return;
      cells[at] = slot * 256;
      removed[term] = (removed[term] ?? 0) + 1;
      if ((removed[term] ?? 0) * 2 > (lengths[term] ?? 0)) sweep(term);
    },
    size: (term) => (term < terms ? (lengths[term] ?? 0) - (removed[term] ?? 0) : 0),
    of(term) {
      const start = starts[term] ?? 0;
      return cells.subarray(start, start + (term < terms ? (lengths[term] ?? 0) : 0));
    },
    has: (term, slot) => find(term, slot) >= 0,
    renumber(numberOf) {
      for (let term = 0; term < terms; term += 1) {
        sweep(term);
        const start = starts[term] ?? 0;
        for (let at = start; at < start + (lengths[term] ?? 0); at += 1) {
          const cell = cells[at] ?? 0;
          cells[at] = numberOf(cell >>> 8) * 256 + (cell & 255);
        }
      }
    },
    get terms() {
      return terms;
    },
    get bytes() {
      return 4 * (cells.length + starts.length + lengths.length + removed.length);
    },
  };
}

/** The smallest power of two that has room for a length. */
function powerFor(length: number): number {
  return 32 - Math.clz32(length - 1);
}

function grown(array: Uint32Array<ArrayBuffer>, atLeast: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(atLeast, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}

/**
 * Terms by number with their counts, as bytes. Numbers are sorted and kept as the difference to the one before, shifted by a
 * bit that says whether a count above 1 follows; both in groups of seven bits, the lowest first. A passage of 270 words takes
 * about 350 bytes.
 */
export function packTerms(counts: ReadonlyMap<number, number>): Uint8Array {
  const ids = Uint32Array.from(counts.keys()).sort();
  // At most five bytes for a number of 32 bits, and two for a count of 255.
  const bytes = new Uint8Array(ids.length * 7);
  let length = 0;
  const write = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest & 127) | 128;
    bytes[length++] = rest;
  };
  let before = 0;
  for (const id of ids) {
    const count = Math.max(1, Math.min(maxCount, Math.round(counts.get(id) ?? 1)));
    write((id - before) * 2 + (count > 1 ? 1 : 0));
    if (count > 1) write(count);
    before = id;
  }
  return bytes.slice(0, length);
}

/** Counts above make no difference to a score. */
const maxCount = 255;

/** Gives each term of packed bytes with its count. Bytes that are cut off or random give some terms, and no error. */
export function unpackTerms(packed: Uint8Array, take: (id: number, count: number) => void): void {
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let scale = 1; at < packed.length; scale *= 128) {
      const byte = packed[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128 || scale > maxScale) break;
    }
    return value;
  };
  let id = 0;
  while (at < packed.length) {
    const value = read();
    id += Math.floor(value / 2);
    if (id > maxId) return;
    take(id, value % 2 === 1 ? Math.min(maxCount, read()) : 1);
  }
}

const maxScale = 128 ** 5;
/** A dictionary has fewer terms; what claims more is broken. */
const maxId = 2 ** 28;
