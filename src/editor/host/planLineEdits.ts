import { findHunks } from '../../approvals/hunks.ts';

/** Lines `[start, end)`, counting from 0, that are replaced by a text with its line ends. */
interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The least that leads from a document's text to another: what is not replaced keeps its cursors, breakpoints and folds. `end`
 * may be behind the last line. Line ends become the document's own, as the editor would make them anyway. Pure.
 */
export function planLineEdits(text: string, next: string): readonly LineEdit[] {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const after = text.includes('\n') ? next.replace(/\r\n|\r|\n/gu, lineEnd) : next;
  return findHunks({ before: text, after }).map(({ beforeStart, removed, added }) => ({
    start: beforeStart,
    end: beforeStart + removed.length,
    text: added.join(''),
  }));
}
