import { PincerError } from '../../base/errors.ts';
import { truncate } from '../../base/text.ts';
import { findNearestLines } from './findNearestLines.ts';
import { foldPunctuation } from './foldLines.ts';
import type { PatchChunk } from './parsePatch.ts';

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

export function createPatchSearch(lines: readonly string[], label: string): PatchSearch {
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
