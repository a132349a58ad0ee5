/** Makes markdown readable as it streams in. */
interface PlainText {
  /** Gives what can be shown; the beginning of a line waits for its end. */
  push(text: string): string;
  /** Gives the rest. */
  flush(): string;
}

/** Takes the backslash escapes of markdown away: `README\.md` reads `README.md`. Code stays as it is. */
export function createPlainText(): PlainText {
  const toPlainLine = createLineReader();
  let rest = '';
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return lines.map((line) => `${toPlainLine(line)}\n`).join('');
    },
    flush() {
      const last = rest === '' ? '' : toPlainLine(rest);
      rest = '';
      return last;
    },
  };
}

/** A fence may stand in a block quote; four spaces make a line code, or the continuation of a list. */
const fenceOrIndent = /^(?:> ?)*(?:( {4}|\t)| {0,3}(`{3,}|~{3,})(.*))/u;
/** A code span, which stays, or an escape. A backslash at the end of a line is a line break. */
const spanOrEscape = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])|\\$/gu;

/** Remembers over the lines whether they stand in a fenced block. */
function createLineReader(): (line: string) => string {
  let fence: string | undefined;
  return (line) => {
    const [, indent, mark, info = ''] = fenceOrIndent.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && info.trim() === '') fence = undefined;
      return line;
    }
    fence = mark;
    if (indent !== undefined || mark !== undefined) return line;
    return line.replace(spanOrEscape, (found: string, ticks?: string, escaped?: string) =>
      ticks === undefined ? (escaped ?? '') : found,
    );
  };
}
