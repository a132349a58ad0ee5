/** A paragraph or a code fence of a passage. */
export interface PassageBlock {
  readonly kind: 'prose' | 'code' | 'heading';
  /** Where `lines` begin: 0-based, from the first line of the passage. */
  readonly first: number;
  /** Without the fence itself. */
  readonly lines: readonly string[];
}

/** The blocks of a passage of markdown, in order; blank lines between them belong to none. */
export function readPassageBlocks(text: string): PassageBlock[] {
  const blocks: { kind: PassageBlock['kind']; first: number; lines: string[] }[] = [];
  let fence: string | undefined;
  let open: (typeof blocks)[number] | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = open = undefined;
      else open?.lines.push(line);
    } else if (mark !== undefined) {
      fence = mark;
      blocks.push((open = { kind: 'code', first: at + 1, lines: [] }));
    } else if (line.trim() === '') {
      open = undefined;
    } else if (/^ {0,3}#{1,6}(?:\s|$)/u.test(line)) {
      blocks.push({ kind: 'heading', first: at, lines: [line] });
      open = undefined;
    } else if (open !== undefined) {
      open.lines.push(line);
    } else {
      blocks.push((open = { kind: 'prose', first: at, lines: [line] }));
    }
  }
  return blocks;
}
