/** A piece of an answer: text, or a link to a file of this machine. */
export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly title: string; readonly href: string };

/**
 * Finds links to files in streamed markdown, however the stream is cut. The panel makes such a link work in a remote window
 * only as a part of its own, not inside text that was put together from several parts.
 */
export interface LinkReader {
  /** What can be shown now of everything pushed so far; the beginning of a link waits for its end. */
  push(text: string): readonly AnswerPiece[];
  /** What was held back. */
  flush(): readonly AnswerPiece[];
}

export function createLinkReader(): LinkReader {
  let held = '';
  return {
    push(text) {
      const all = held + text;
      const start = openLinkStart(all);
      held = all.slice(start);
      return toPieces(all.slice(0, start));
    },
    flush() {
      const rest = held;
      held = '';
      return toPieces(rest);
    },
  };
}

// `\[` opens no link, and neither does a bracket inside a title.
const fileLink =
  /(?<!\\)\[(?<title>(?:\\.|[^[\]\\\n])*)\]\((?:<(?<quoted>file:\/\/\/(?!\/)[^>\n]*)>|(?<plain>file:\/\/\/(?!\/)[^)<\s]*))\)/gu;

function toPieces(text: string): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(fileLink)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    const { title = '', quoted, plain } = match.groups ?? {};
    pieces.push({ kind: 'file', title: unescape(title), href: quoted ?? plain ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

function unescape(title: string): string {
  return title.replace(/\\(?<escaped>[^\w\s])/gu, '$<escaped>');
}

/** Longer than this it is no link, or one that is not worth the wait. */
const longestLink = 600;
const openLink = /^\[(?:\\.|[^[\]\\\n])*\\?(?:\](?:\((?:<[^>\n]*>?|[^)<\s]*)?)?)?$/u;

/** Where a link begins that has not ended yet; the text's length where there is none. Pure. */
function openLinkStart(text: string): number {
  let start = text.lastIndexOf('[');
  while (start > 0 && text[start - 1] === '\\') start = text.lastIndexOf('[', start - 1);
  const isOpen = start !== -1 && text.length - start <= longestLink && openLink.test(text.slice(start));
  if (isOpen) return start;
  return text.endsWith('\\') ? text.length - 1 : text.length;
}
