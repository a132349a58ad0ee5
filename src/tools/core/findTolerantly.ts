import { foldEnd, foldLines, foldPunctuation } from './foldLines.ts';
import { findIndentShift, shiftIndent } from './indentShift.ts';

/** Where a text stands that is not there exactly. */
interface TolerantPlace {
  readonly start: number;
  readonly end: number;
  /** The new text as the place needs it. */
  readonly newText: string;
}

type TolerantMatch =
  | { readonly kind: 'one'; readonly ignored: string; readonly place: TolerantPlace }
  | { readonly kind: 'several'; readonly ignored: string; readonly starts: readonly number[] };

interface Tolerance {
  /** What is looked past, as the model and people read it. */
  readonly ignored: string;
  readonly find: (text: string, oldText: string, newText: string) => readonly TolerantPlace[];
}

const inAll = (line: string): string => foldPunctuation(foldEnd(line));

/** From the least to the most that is looked past; each takes in those before it. */
const tolerances: readonly Tolerance[] = [
  { ignored: 'line ends', find: folded((line) => line.replace(/\r$/u, '')) },
  { ignored: 'white space at line ends', find: folded(foldEnd) },
  { ignored: 'indentation', find: shifted((line) => line) },
  { ignored: 'the kind of quotes, dashes and spaces', find: folded(inAll) },
  { ignored: 'indentation and the kind of quotes, dashes and spaces', find: shifted(foldPunctuation) },
];

/**
 * Looks for a text that does not occur exactly, past more and more. The first that finds something decides: nothing is chosen
 * among several places. Undefined where nothing is found. Pure.
 */
export function findTolerantly(text: string, oldText: string, newText: string): TolerantMatch | undefined {
  for (const { ignored, find } of tolerances) {
    const [place, ...more] = find(text, oldText, newText);
    if (place === undefined) continue;
    if (more.length === 0) return { kind: 'one', ignored, place };
    return { kind: 'several', ignored, starts: [place, ...more].map(({ start }) => start) };
  }
  return undefined;
}

/** A message tells of no more. */
const maxPlaces = 10;

function folded(fold: (line: string) => string): Tolerance['find'] {
  return (text, oldText, newText) => {
    const { text: seen, originOf } = foldLines(text, fold);
    const wanted = foldPart(oldText, fold);
    if (wanted.trim() === '') return [];
    const places: TolerantPlace[] = [];
    for (
      let at = seen.indexOf(wanted);
      at !== -1 && places.length < maxPlaces;
      at = seen.indexOf(wanted, at + 1)
    ) {
      const [start, end] = [originOf(at), originOf(at + wanted.length)];
      places.push({ start, end, newText: withEndsOf(text, start, newText) });
    }
    return places;
  };
}

/** The last line goes on in the file, so that its end is not one of a line. */
function foldPart(part: string, fold: (line: string) => string): string {
  const lines = part.split('\n');
  const last = lines.pop() ?? '';
  // Folded without its end, which a mark keeps.
  return [...lines.map(fold), fold(`${last}|`).slice(0, -1)].join('\n');
}

/** Whole lines that are indented otherwise, all by the same. */
function shifted(fold: (line: string) => string): Tolerance['find'] {
  return (text, oldText, newText) => {
    const wanted = oldText.split('\n').map((line) => line.replace(/\r$/u, ''));
    const takesEnd = wanted.length > 1 && wanted.at(-1) === '';
    if (takesEnd) wanted.pop();
    const keys = wanted.map((line) => fold(line).trim());
    const lead = keys.findIndex((key) => key !== '');
    if (lead === -1) return [];
    const lines = text.split('\n');
    const seen = lines.map((line) => fold(line).trim());
    const places: TolerantPlace[] = [];
    for (
      let hit = seen.indexOf(keys[lead] ?? '', lead);
      hit !== -1 && places.length < maxPlaces;
      hit = seen.indexOf(keys[lead] ?? '', hit + 1)
    ) {
      const first = hit - lead;
      const last = first + keys.length;
      if (last > lines.length || !keys.every((key, at) => seen[first + at] === key)) continue;
      const shift = findIndentShift(wanted, lines.slice(first, last));
      if (shift === undefined || (takesEnd && last === lines.length)) continue;
      const start = offsetOf(lines, first);
      const lastLine = lines[last - 1] ?? '';
      const end = takesEnd
        ? offsetOf(lines, last)
        : offsetOf(lines, last - 1) + lastLine.replace(/\r$/u, '').length;
      const moved = newText.split('\n').map((line) => shiftIndent(line, shift));
      places.push({ start, end, newText: withEndsOf(text, start, moved.join('\n')) });
    }
    return places;
  };
}

function offsetOf(lines: readonly string[], line: number): number {
  return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
}

/** New lines end as the one at `start` does. */
function withEndsOf(text: string, start: number, part: string): string {
  const newline = text.indexOf('\n', start);
  const before = newline === -1 ? text.lastIndexOf('\n') : newline;
  const lineEnd = before > 0 && text.charAt(before - 1) === '\r' ? '\r\n' : '\n';
  return part.replace(/\r?\n/gu, lineEnd);
}
