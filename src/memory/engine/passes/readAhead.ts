/**
 * Reads items in order, at most `width` at a time, a few ahead of whoever takes them. What a read rejects with is thrown at
 * its turn.
 */
export async function* readAhead<T, R>(
  items: Iterable<T>,
  width: number,
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const reading: Promise<R>[] = [];
  for (const item of items) {
    const next = read(item);
    // It is awaited at its turn, or by nobody where the taker has left.
    next.catch(() => undefined);
    reading.push(next);
    const first = reading.length < width ? undefined : reading.shift();
    if (first !== undefined) yield await first;
  }
  for (const rest of reading) yield await rest;
}
