/** Characters that models write for one another. Each is one UTF-16 unit, so that places in a line stay where they are. */
const plain: Readonly<Record<string, string>> = {
  ...pairs('‘’‚‛′', "'"),
  ...pairs('“”„‟″«»', '"'),
  ...pairs('‐‑‒–—―−', '-'),
  ...pairs('\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000', ' '),
};

const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/** Typographic quotes, dashes and spaces as those of a keyboard; the length stays. Pure. */
export function foldPunctuation(text: string): string {
  return text.replace(special, (char) => plain[char] ?? char);
}

/** A line without white space at its end. */
export function foldEnd(line: string): string {
  // `trimEnd` would take a no-break space too.
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(from, (char) => [char, to]));
}

/** A text whose lines were folded, with the way back to the text itself. Folding a line may only cut its end. */
interface FoldedText {
  readonly text: string;
  /** The place in the text itself of a place in the folded one. */
  readonly originOf: (place: number) => number;
}

/** Folds each line (without `\n`). Pure. */
export function foldLines(text: string, fold: (line: string) => string): FoldedText {
  const folded: string[] = [];
  /** Where each line starts: in the folded text and in the text itself. */
  const starts: number[] = [];
  const origins: number[] = [];
  let [start, origin] = [0, 0];
  for (const line of text.split('\n')) {
    const each = fold(line);
    folded.push(each);
    starts.push(start);
    origins.push(origin);
    start += each.length + 1;
    origin += line.length + 1;
  }
  return {
    text: folded.join('\n'),
    originOf: (place) => {
      const line = lastAtMost(starts, place);
      return (origins[line] ?? 0) + place - (starts[line] ?? 0);
    },
  };
}

/** Index of the last of some rising numbers that is not above `limit`. */
function lastAtMost(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rising[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
