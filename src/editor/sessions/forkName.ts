import { inertLine } from '../../base/text.ts';

const maxTitle = 60;

/** A name for a copy that no other conversation has: `Boats (fork)`, `Boats (fork 2)`. Pure. */
export function forkName(title: string, taken: readonly string[]): string {
  const base = inertLine(title.replace(/ \(fork(?: \d+)?\)$/u, ''), maxTitle);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? `${base} (fork)` : `${base} (fork ${String(count)})`;
    if (!taken.includes(name)) return name;
  }
}
