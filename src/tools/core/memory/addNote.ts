// Threat: a note is read again by models that search the memory and by the user's markdown viewer. A fence, comment or HTML block
// that it leaves open would swallow the notes after it, a heading of its own would pass for another note, and characters that
// nobody sees would be read by models alone. So headings stand below the note's own, those characters go, and a text that might
// open something stands in a block quote: whatever is open in there ends with it.
import { inertLine } from '../../../base/text.ts';

export interface DatedNote {
  /** ISO day; the first line of a new file. */
  readonly day: string;
  /** `14:05` where the note is of this moment. */
  readonly time: string | undefined;
  readonly title: string;
  readonly text: string;
}

/** The text of a file with the note at its end; `before` is null where there is no file. Pure. */
export function addNote(before: string | null, note: DatedNote): string {
  const old = before ?? '';
  const start = old === '' ? `# ${note.day}\n\n` : `${withEnd(closeFence(old))}\n`;
  const heading = [
    note.time,
    inertLine(note.title, 120)
      .replaceAll('<', '&lt;')
      .replace(/[\s#]+$/u, ''),
  ].filter((part) => part !== undefined && part !== '');
  return `${start}## ${heading.length === 0 ? 'Note' : heading.join(' ')}\n\n${tidy(note.text)}\n`;
}

/**
 * Control characters, marks that reverse what is read, and characters that carry text nobody sees. What joins letters and what
 * chooses between text and emoji stays: languages and symbols need it.
 */
const unseen =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\u3164\uFE00-\uFE0D\uFEFF\uFFA0\u{E0000}-\u{E0FFF}]/gu;

function tidy(text: string): string {
  const lines = text
    .replace(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replace(unseen, '')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
  const kinds = kindsOf(lines);
  if (kinds.includes('odd') || kinds.at(-1) === 'open')
    return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
  return lines.map((line, at) => (kinds[at] === 'plain' ? tidyLine(line) : line)).join('\n');
}

function tidyLine(line: string): string {
  return (
    line
      // The note has the second level: what it holds begins at the third.
      .replace(/^( {0,3})(#{1,6})(?=\s|$)/u, (_, indent: string, marks: string) => {
        return indent + '#'.repeat(Math.min(6, marks.length + 2));
      })
      // A line of these makes the line above it a heading.
      .replace(/^ {0,3}(?=(?:=+|-+)$)/u, '\\')
  );
}

/** `fence` closes one, `open` is in one or opens it, `odd` may open something that does not end with the line. */
type LineKind = 'plain' | 'open' | 'fence' | 'odd';

/** At the very beginning of its line, a fence is in no list and no quote: then it is certain where it ends. */
const fence = /^(?<mark>`{3,}(?=[^`]*$)|~{3,})/u;
const odd = /^[\s>*+\-\d.)]*(?:`{3}|~{3}|<[a-z/!?])|<!--/iu;

function kindsOf(lines: readonly string[]): readonly LineKind[] {
  let mark: string | undefined;
  return lines.map((line) => {
    if (mark !== undefined) {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1];
      if (closing?.startsWith(mark) !== true) return 'open';
      mark = undefined;
      return 'fence';
    }
    mark = fence.exec(line)?.groups?.['mark'];
    if (mark !== undefined) return 'open';
    return odd.test(line) ? 'odd' : 'plain';
  });
}

/** A file that ends inside of a fence: the note would become code. */
function closeFence(text: string): string {
  const lines = text.split('\n');
  const kinds = kindsOf(lines.at(-1) === '' ? lines.slice(0, -1) : lines);
  if (kinds.at(-1) !== 'open') return text;
  const opening = lines[kinds.findLastIndex((kind) => kind !== 'open') + 1] ?? '';
  return `${withEnd(text)}${fence.exec(opening)?.groups?.['mark'] ?? ''}`;
}

function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
