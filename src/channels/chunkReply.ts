/** Upstream's limit where a channel names none. */
export const defaultChunk = 4_000;
const shortest = 100;

interface Fence {
  /** The opening line without its indent: a piece that begins with it is in no list. */
  readonly line: string;
  /** White space before its mark: in a list a mark without it would open another fence. */
  readonly indent: string;
  /** Its backticks or tildes. */
  readonly mark: string;
}

/**
 * A text in pieces that a channel takes, none longer than `limit`, in order (OpenClaw core flow, End-to-End). They end between
 * paragraphs, lines or words; a code fence that has to be cut is closed at the end of its piece and opened again in the next, so that no
 * piece ends inside one. Pure.
 */
export function chunkReply(text: string, limit: number = defaultChunk): readonly string[] {
  const most = Number.isFinite(limit) ? Math.max(shortest, Math.floor(limit)) : defaultChunk;
  const chunks: string[] = [];
  let rest = text.trim();
  let open: Fence | undefined;
  while (rest !== '') {
    const head = open === undefined ? '' : `${open.line}\n`;
    if (head.length + rest.length <= most) {
      chunks.push(head + rest);
      break;
    }
    // Room for the line that closes a fence, whichever is open where it is cut.
    const mayClose = open !== undefined || /`{3}|~{3}/u.test(rest.slice(0, most));
    const room = most - head.length - (mayClose ? 1 + longestIndent + longestMark : 0);
    const at = cutBefore(rest, Math.max(1, room), open);
    const piece = rest.slice(0, at).trimEnd();
    const after: Fence | undefined = fenceAfter(piece, open);
    chunks.push(head + piece + closing(after));
    rest =
      after === undefined
        ? rest.slice(at).trimStart()
        : moveOut(rest.slice(at).replace(/^\r?\n/u, ''), after);
    open = after === undefined ? undefined : { ...after, indent: '' };
    // A fence whose own line leaves no room can't be opened again and again.
    if (open !== undefined && open.line.length > most / 4) open = { ...open, line: open.mark };
  }
  return chunks.filter((chunk) => chunk.trim() !== '');
}

/** What stands further in is text. */
const longestIndent = 16;
/**
 * What has more backticks or tildes opens no fence. Threat: a mark that fills a piece is repeated in each, around one character of the text:
 * an answer of some kilobytes becomes thousands of messages.
 */
const longestMark = 16;

function closing(fence: Fence | undefined): string {
  return fence === undefined ? '' : `\n${fence.indent}${fence.mark}`;
}

const opening = /^(?<indent>[ \t]{0,16})(?<mark>`{3,16}(?!`)|~{3,16}(?!~))[^`]*$/u;

/** The fence that is open at the end of a piece. */
function fenceAfter(piece: string, before: Fence | undefined): Fence | undefined {
  let open = before;
  for (const line of piece.split(/\r?\n/u)) {
    if (open === undefined) {
      const { indent = '', mark } = opening.exec(line)?.groups ?? {};
      if (mark !== undefined) open = { line: line.trim(), indent, mark };
    } else if (closes(line, open)) open = undefined;
  }
  return open;
}

/** What is left of a cut fence, and its end, as far to the left as the line that opens it again: further in, its end would be text. */
function moveOut(text: string, fence: Fence): string {
  if (fence.indent === '') return text;
  const lines = text.split('\n');
  const end = lines.findIndex((line) => closes(line, fence));
  const deepest = new RegExp(`^[ \\t]{1,${String(fence.indent.length)}}`, 'u');
  return lines.map((line, at) => (end < 0 || at <= end ? line.replace(deepest, '') : line)).join('\n');
}

/** Marks that stand further in than their fence are part of what it shows. */
function closes(line: string, { mark, indent }: Fence): boolean {
  const bare = line.trim();
  const isMark = bare.length >= mark.length && bare === (mark[0] ?? '').repeat(bare.length);
  return isMark && line.length - line.trimStart().length <= indent.length + 3;
}

/** Where to cut at the latest before `room`: before a fence, between paragraphs, lines, words, else anywhere but in a surrogate pair. */
function cutBefore(text: string, room: number, open: Fence | undefined): number {
  const head = text.slice(0, room + 1);
  const least = room / 2;
  if (open === undefined) {
    const fence = lastFenceStart(head);
    if (fence !== undefined && fence > least / 2 && fenceAfter(text.slice(0, room), undefined) !== undefined)
      return fence;
    const paragraph = head.lastIndexOf('\n\n');
    if (paragraph > least) return paragraph;
  }
  const line = head.lastIndexOf('\n');
  if (line > least) return line;
  const word = head.lastIndexOf(' ');
  if (word > least) return word;
  if (line > 0) return line;
  const code = text.charCodeAt(room - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff && room > 1 ? room - 1 : room;
}

/** Where the last line begins that opens or closes a fence. */
function lastFenceStart(text: string): number | undefined {
  const found = [...text.matchAll(/^[ \t]{0,16}(?:`{3,}|~{3,})/gmu)].at(-1);
  return found?.index === 0 ? undefined : found?.index;
}
