import { linesOf, truncate } from '../../base/text.ts';
import { byteOrderMark } from '../textEncoding.ts';
import { findIndentShift, shiftIndent } from './indentShift.ts';
import type { PatchChunk } from './parsePatch.ts';
import { PincerError } from '../../base/errors.ts';
import { findNearestLines } from './findNearestLines.ts';
import { foldPunctuation } from './foldLines.ts';

export interface PlannedPatch {
  readonly text: string;
  /** For each place that was only found by looking past something: its line in the file, counting from 1, and what. */
  readonly tolerances: readonly { readonly line: number; readonly ignored: string }[];
}

/** A line and what ends it; empty for a last line without an end. */
interface Line {
  readonly text: string;
  readonly end: string;
}

/**
 * A file's text after an update. Places are looked for from the top, each below the one before; lines that are not removed
 * stay as they are, byte by byte, and added lines get the line ends of the file. Pure.
 * @throws PincerError `patch_not_found`, `patch_not_unique`: nothing may be written then
 */
export function planPatch(text: string, chunks: readonly PatchChunk[], label: string): PlannedPatch {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const lines = toLines(text.slice(mark.length));
  const search = createPatchSearch(
    lines.map((line) => line.text),
    label,
  );
  const lineEnd = commonEnd(lines);
  const pieces: Line[] = [];
  const tolerances: { readonly line: number; readonly ignored: string }[] = [];
  let done = 0;
  for (const chunk of chunks) {
    const { start, ignored } = search.find(chunk, done);
    if (ignored !== undefined) tolerances.push({ line: start + 1, ignored });
    const count = chunk.lines.filter(({ sign }) => sign !== '+').length;
    const place = lines.slice(start, start + count);
    pieces.push(...lines.slice(done, start), ...changeLines(place, chunk, lineEnd));
    done = start + count;
  }
  const isEnded = lines.at(-1)?.end !== '';
  return { text: mark + joinLines([...pieces, ...lines.slice(done)], lineEnd, isEnded), tolerances };
}

/** Added lines are indented as far as the place is off from what the patch says. */
function changeLines(place: readonly Line[], { lines }: PatchChunk, lineEnd: string): readonly Line[] {
  const wanted = lines.flatMap(({ sign, text }) => (sign === '+' ? [] : [text]));
  const shift = findIndentShift(
    wanted,
    place.map(({ text }) => text),
  );
  let at = 0;
  return lines.flatMap(({ sign, text }) => {
    if (sign === '+') return [{ text: shift === undefined ? text : shiftIndent(text, shift), end: lineEnd }];
    const own = place[at];
    at += 1;
    return sign === '-' || own === undefined ? [] : [own];
  });
}

/** A file that ended without a line end still does, and a line that is no longer the last one gets its end. */
function joinLines(lines: readonly Line[], lineEnd: string, isEnded: boolean): string {
  const last = lines.length - 1;
  const endOf = ({ end }: Line, at: number): string =>
    at === last && !isEnded ? '' : end === '' ? lineEnd : end;
  return lines.map((line, at) => line.text + endOf(line, at)).join('');
}

function toLines(text: string): readonly Line[] {
  return linesOf(text).map((line) => {
    const end = line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '';
    return { text: line.slice(0, line.length - end.length), end };
  });
}

/** What most lines end with. */
function commonEnd(lines: readonly Line[]): string {
  const count = (wanted: string): number => lines.filter(({ end }) => end === wanted).length;
  return count('\r\n') > count('\n') ? '\r\n' : '\n';
}

/** Looks for the places of a patch in the lines of a file. */
interface PatchSearch {
  /**
   * @param from the first line that may be changed, counting from 0
   * @returns the first line of the place, and what had to be looked past to find it
   * @throws PincerError `patch_not_found`, `patch_not_unique`
   */
  find(chunk: PatchChunk, from: number): FoundPlace;
}

interface FoundPlace {
  readonly start: number;
  readonly ignored?: string;
}

interface Comparison {
  readonly ignored?: string;
  readonly fold: (line: string) => string;
  /** So loose that the place has to be the only one; else the first counts, as the format has it. */
  readonly isLoose: boolean;
}

/** From strict to loose. */
const comparisons: readonly Comparison[] = [
  { fold: (line) => line, isLoose: false },
  { ignored: 'white space at line ends', fold: (line) => line.trimEnd(), isLoose: false },
  { ignored: 'indentation', fold: (line) => line.trim(), isLoose: true },
  {
    ignored: 'the kind of quotes, dashes and spaces',
    fold: (line) => foldPunctuation(line).trim(),
    isLoose: true,
  },
];

/** A message tells of no more places. */
const maxStarts = 5;

function createPatchSearch(lines: readonly string[], label: string): PatchSearch {
  const folded = new Map<Comparison, readonly string[]>();
  const linesFor = (comparison: Comparison): readonly string[] => {
    const known = folded.get(comparison) ?? lines.map(comparison.fold);
    folded.set(comparison, known);
    return known;
  };
  const require = (
    wanted: readonly string[],
    chunk: PatchChunk,
    from: number,
    isEnd: boolean,
  ): FoundPlace => {
    for (const comparison of comparisons) {
      const { ignored, fold, isLoose } = comparison;
      const seen = linesFor(comparison);
      const earliest = isEnd ? Math.max(from, seen.length - wanted.length) : from;
      const starts = findStarts(seen, wanted.map(fold), earliest);
      const [start] = starts;
      if (start === undefined) continue;
      if (isLoose && starts.length > 1) throw notUnique(chunk, label, starts, ignored ?? '');
      return { start, ...(ignored === undefined ? {} : { ignored }) };
    }
    throw notFound({ chunk, label, lines, wanted, from, isEnd });
  };
  return {
    find(chunk, from) {
      let start = from;
      for (const context of chunk.context) start = require([context], chunk, start, false).start + 1;
      const wanted = chunk.lines.flatMap(({ sign, text }) => (sign === '+' ? [] : [text]));
      if (wanted.length > 0) return require(wanted, chunk, start, chunk.isEnd);
      // Only added lines: behind the context, else at the end of the file.
      return { start: chunk.context.length > 0 && !chunk.isEnd ? start : lines.length };
    },
  };
}

function findStarts(lines: readonly string[], wanted: readonly string[], from: number): readonly number[] {
  const starts: number[] = [];
  const [first = ''] = wanted;
  for (
    let at = lines.indexOf(first, from);
    at !== -1 && at + wanted.length <= lines.length && starts.length < maxStarts;
    at = lines.indexOf(first, at + 1)
  ) {
    if (wanted.every((line, offset) => lines[at + offset] === line)) starts.push(at);
  }
  return starts;
}

interface Missing {
  readonly chunk: PatchChunk;
  readonly label: string;
  readonly lines: readonly string[];
  readonly wanted: readonly string[];
  readonly from: number;
  readonly isEnd: boolean;
}

function notFound({ chunk, label, lines, wanted, from, isEnd }: Missing): PincerError {
  const shown = wanted.length === 1 ? `"${truncate(wanted[0] ?? '', 200)}"` : `its ${wanted.length} lines`;
  const where = isEnd ? ' at the end' : from === 0 ? '' : ` below line ${from}`;
  return new PincerError(
    'patch_not_found',
    `Line ${chunk.line} of the patch: ${shown} can't be found in ${label}${where}; nothing was written.${whereElse(lines, wanted, isEnd)}`,
    { hint: 'Read the file and copy the lines exactly, white space included.' },
  );
}

function whereElse(lines: readonly string[], wanted: readonly string[], isEnd: boolean): string {
  const [elsewhere] = findStarts(lines, wanted, 0);
  if (elsewhere !== undefined) {
    const why = isEnd ? 'which is not the end' : 'but the places of a file come in their order from the top';
    return ` It is at line ${elsewhere + 1}, ${why}.`;
  }
  const near = findNearestLines(lines.join('\n'), wanted.join('\n'));
  return near === undefined ? '' : `\nThe nearest lines are:\n${truncate(near, 1_500)}`;
}

function notUnique(
  chunk: PatchChunk,
  label: string,
  starts: readonly number[],
  ignored: string,
): PincerError {
  const lines = starts.map((start) => start + 1).join(', ');
  return new PincerError(
    'patch_not_unique',
    `Line ${chunk.line} of the patch: past ${ignored} it fits several places of ${label} (lines ${lines}); nothing was written.`,
    { hint: 'Copy the lines exactly, or add "@@ " with a line that comes before the place.' },
  );
}
