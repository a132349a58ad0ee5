/** The last characters of a text that grows, and where they stand in it. Counted in UTF-16 units from its beginning. */
interface TextRing {
  append(piece: string): void;
  /** Characters in all, kept or not. */
  total(): number;
  /** Characters from the beginning that are no longer there. */
  dropped(): number;
  /** What is kept from `from` on; with `to`, up to there. */
  read(from?: number, to?: number): string;
}

/** Keeps at most `max` characters. */
export function createTextRing(max: number): TextRing {
  let pieces: string[] = [];
  let kept = 0;
  let total = 0;
  /** In one piece again once there are many, or too much of it: not at each of them. */
  const compact = (): void => {
    const text = pieces.join('').slice(-max);
    pieces = [text];
    kept = text.length;
  };
  const text = (): string => {
    if (pieces.length > 1 || kept > max) compact();
    return pieces[0] ?? '';
  };
  return {
    append(piece) {
      total += piece.length;
      kept += piece.length;
      pieces.push(piece);
      if (kept > max * 2 || pieces.length > 1_000) compact();
    },
    total: () => total,
    dropped: () => total - Math.min(total, max),
    read(from = 0, to = total) {
      const all = text();
      const start = total - all.length;
      return all.slice(Math.max(0, from - start), Math.max(0, to - start));
    },
  };
}
