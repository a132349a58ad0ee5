/** Texts are compared up to this size; an error message is not worth more time. */
const maxLines = 20_000;
const maxWantedLines = 40;

/**
 * The lines of `text` that look most like `wanted`, each with its number, for an error message; undefined where nothing is
 * alike. Lines that differ only in white space count as alike.
 */
export function findNearestLines(text: string, wanted: string): string | undefined {
  const lines = text.split(/\r?\n/u).slice(0, maxLines);
  const goal = trimBlank(wanted.split(/\r?\n/u)).slice(0, maxWantedLines);
  const best = bestStart(lines.map(wordsOf), goal.map(wordsOf));
  if (best === undefined) return undefined;
  return lines
    .slice(best, best + goal.length)
    .map((line, at) => `${best + at + 1}: ${line}`)
    .join('\n');
}

function bestStart(lines: readonly Words[], goal: readonly Words[]): number | undefined {
  // Looking at the longest line first keeps this linear: a place where it has no likeness is not looked at further.
  const lead = goal.reduce((best, words, at) => (words.length > (goal[best]?.length ?? 0) ? at : best), 0);
  let best: number | undefined;
  let bestScore = 0;
  for (let start = 0; start < lines.length; start += 1) {
    if (likeness(lines[start + lead], goal[lead]) < 0.5) continue;
    const score = goal.reduce((sum, line, at) => sum + likeness(lines[start + at], line), 0);
    if (score > bestScore) {
      best = start;
      bestScore = score;
    }
  }
  return best;
}

type Words = readonly string[];

function wordsOf(line: string): Words {
  return line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** Share of words that both lines have, 0 to 1 (Dice). */
function likeness(a: Words | undefined, b: Words | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.length + b.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of b) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return (2 * shared) / (a.length + b.length);
}

function trimBlank(lines: readonly string[]): string[] {
  const isText = (line: string): boolean => line.trim() !== '';
  const start = lines.findIndex(isText);
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(isText) + 1);
}
