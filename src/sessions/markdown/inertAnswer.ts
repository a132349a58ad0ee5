// Threat: what a model or a pasted text says stands in a document of ours. It must not pass for another turn, run HTML, or make
// whoever opens the document fetch an image.

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/u;
const headingLevels = 2;

/**
 * Markdown that keeps its look but only shows: headings lie below ours, HTML is text, images are their links' text. Code stays as
 * it is; a block that was not closed is. Pure.
 */
export function inertAnswer(text: string): string {
  let open: string | undefined;
  const lines = text.split(/\r\n?|\n/u).map((line) => {
    const [, fence = '', info = ''] = fenceLine.exec(line) ?? [];
    if (open !== undefined) {
      if (fence.startsWith(open) && info.trim() === '') open = undefined;
      return line;
    }
    if (fence !== '' && !(fence.startsWith('`') && info.includes('`'))) {
      open = fence;
      return line;
    }
    return inertProse(line);
  });
  return (open === undefined ? lines : [...lines, open]).join('\n');
}

function inertProse(line: string): string {
  const [, indent = '', marks, rest = ''] =
    /^((?:[ \t]|>|[-*+] |\d+[.)] )*)(#{1,6})([ \t].*|)$/u.exec(line) ?? [];
  const lowered =
    marks === undefined ? line : `${indent}${'#'.repeat(Math.min(6, marks.length + headingLevels))}${rest}`;
  // A row of = or - makes the line above a heading, or is a rule between turns.
  return lowered
    .replace(/^([ \t>]*)(=+|-+|(?:[-*_][ \t]*){3,})[ \t]*$/u, '$1\\$2')
    .replaceAll('<', '&lt;')
    .replaceAll('![', '!\\[');
}
