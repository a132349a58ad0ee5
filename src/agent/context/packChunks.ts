/** Splits a list, in order, into chunks of at most `max` each; what is larger alone gets a chunk of its own. Pure. */
export function packChunks<T>(
  items: readonly T[],
  max: number,
  sizeOf: (item: T) => number,
): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    const last = chunks.at(-1);
    if (last === undefined || size + own > max) {
      chunks.push([item]);
      size = own;
    } else {
      last.push(item);
      size += own;
    }
  }
  return chunks;
}
