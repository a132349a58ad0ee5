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
export const maxCount = 255;

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
