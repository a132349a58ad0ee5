import { linesOf } from '../../base/text.ts';
import { byteOrderMark } from '../textEncoding.ts';
import { createPatchSearch } from './createPatchSearch.ts';
import { findIndentShift, shiftIndent } from './indentShift.ts';
import type { PatchChunk } from './parsePatch.ts';

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
