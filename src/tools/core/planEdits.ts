import { PincerError } from '../../base/errors.ts';
import { placeholdersIn } from '../../base/secrets/placeholders.ts';
import { plural, truncate } from '../../base/text.ts';
import { findNearestLines } from './findNearestLines.ts';
import { foldEnd, foldLines, foldPunctuation } from './foldLines.ts';
import { findIndentShift, shiftIndent } from './indentShift.ts';

/** A message tells of no more. */
const maxPlaces = 10;

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** Where an edit was only found by looking past something. */
export interface EditTolerance {
  /** `The oldText`, or `The oldText of edit 2`. */
  readonly name: string;
  /** Of the text before all edits, counting from 1. */
  readonly line: number;
  /** Such as `indentation`. */
  readonly ignored: string;
}

interface PlannedEdits {
  readonly text: string;
  readonly tolerances: readonly EditTolerance[];
}

/** Where an edit applies: `[start, end)` in the text before all edits. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  readonly name: string;
  readonly ignored?: string;
}

/**
 * The text after all edits. Each `oldText` must occur exactly once in `text`: as it is, or where it does not, past line ends,
 * white space and kinds of quotes, in that order. Line ends in edits are taken as the file's. Pure.
 * @throws PincerError `edit_not_found`, `edit_not_unique`, `edit_overlap`, `edit_no_change`: nothing may be written then
 */
export function planEdits(text: string, edits: readonly TextEdit[], label: string): PlannedEdits {
  const lineEnd = lineEndOf(text);
  const placed = edits
    .map((edit) => ({
      oldText: withLineEnds(edit.oldText, lineEnd),
      newText: withLineEnds(edit.newText, lineEnd),
    }))
    .map((edit, at) => place(text, edit, edits.length === 1 ? 'oldText' : `oldText of edit ${at + 1}`, label))
    .sort((a, b) => a.start - b.start);
  const pieces: string[] = [];
  let at = 0;
  for (const [index, edit] of placed.entries()) {
    if (edit.start < at) throw overlap(placed[index - 1]?.name ?? '', edit.name);
    pieces.push(text.slice(at, edit.start), edit.newText);
    at = edit.end;
  }
  const after = pieces.join('') + text.slice(at);
  if (after === text) throw noChange(label);
  const tolerances = placed.flatMap(({ name, start, ignored }) =>
    ignored === undefined ? [] : [{ name: `The ${name}`, line: lineAt(text, start), ignored }],
  );
  return { text: after, tolerances };
}

function place(text: string, { oldText, newText }: TextEdit, name: string, label: string): Placed {
  const starts = occurrences(text, oldText);
  const [start] = starts;
  if (starts.length > 1) throw notUnique(text, starts, name, label);
  if (start !== undefined) return { start, end: start + oldText.length, newText, name };
  const match = findTolerantly(text, oldText, newText);
  if (match === undefined) throw notFound(text, oldText, name, label);
  if (match.kind === 'several') throw notUnique(text, match.starts, name, label, match.ignored);
  return { ...match.place, name, ignored: match.ignored };
}

const maxOccurrences = 50;

function occurrences(text: string, part: string): number[] {
  const starts: number[] = [];
  // Overlapping ones count too: "aa" in "aaa" is not one clear place.
  for (
    let at = text.indexOf(part);
    at !== -1 && starts.length < maxOccurrences;
    at = text.indexOf(part, at + 1)
  ) {
    starts.push(at);
  }
  return starts;
}

/** What ends every line of a text; undefined where they differ. */
function lineEndOf(text: string): '\n' | '\r\n' | undefined {
  if (!text.includes('\r\n')) return '\n';
  return /(?<!\r)\n/u.test(text) ? undefined : '\r\n';
}

/** Models write `\n`, whatever the file has. A file with both ends is matched as it is. */
function withLineEnds(part: string, lineEnd: string | undefined): string {
  return lineEnd === undefined ? part : part.replace(/\r?\n/gu, lineEnd);
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function noChange(label: string): PincerError {
  return new PincerError(
    'edit_no_change',
    `These edits change nothing in ${label}: old and new text are the same.`,
  );
}

function notFound(text: string, oldText: string, name: string, label: string): PincerError {
  const near = findNearestLines(text, oldText);
  const shown = near === undefined ? '' : `\nThe nearest lines are:\n${truncate(near, 1_500)}`;
  return new PincerError(
    'edit_not_found',
    `The ${name} does not occur in ${label}; nothing was written.${shown}`,
    {
      hint:
        placeholdersIn(oldText).length > 0
          ? 'It holds a mark that stands for a secret: take the lines around it, and leave that line as it is.'
          : 'Read the file and copy the text exactly, white space included.',
    },
  );
}

/** @param ignored what had to be looked past to find it at all */
function notUnique(
  text: string,
  starts: readonly number[],
  name: string,
  label: string,
  ignored?: string,
): PincerError {
  const lines = [...new Set(starts.slice(0, 10).map((start) => lineAt(text, start)))];
  const many =
    starts.length >= maxOccurrences ? `at least ${maxOccurrences} times` : plural(starts.length, 'time');
  const how = ignored === undefined ? 'occurs' : `does not occur exactly, and past ${ignored} it occurs`;
  return new PincerError(
    'edit_not_unique',
    `The ${name} ${how} ${many} in ${label} (lines ${lines.join(', ')}); nothing was written.`,
    { hint: 'Add lines before or after it until it occurs only once.' },
  );
}

function overlap(a: string, b: string): PincerError {
  return new PincerError('edit_overlap', `The ${a} and the ${b} overlap; nothing was written.`, {
    hint: 'Make them one edit.',
  });
}

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
function findTolerantly(text: string, oldText: string, newText: string): TolerantMatch | undefined {
  for (const { ignored, find } of tolerances) {
    const [place, ...more] = find(text, oldText, newText);
    if (place === undefined) continue;
    if (more.length === 0) return { kind: 'one', ignored, place };
    return { kind: 'several', ignored, starts: [place, ...more].map(({ start }) => start) };
  }
  return undefined;
}

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
