/** Upstream's limit where a channel names none. */
export const defaultChunk = 4_000;
const shortest = 100;

interface Fence {
  /** The whole opening line. */
  readonly line: string;
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
    const room = most - head.length - closing(open).length - longestMark;
    const at = cutBefore(rest, Math.max(1, room), open);
    const piece = rest.slice(0, at).trimEnd();
    const after: Fence | undefined = fenceAfter(piece, open);
    chunks.push(head + piece + closing(after));
    rest = after === undefined ? rest.slice(at).trimStart() : rest.slice(at).replace(/^\r?\n/u, '');
    open = after;
    // A fence whose own line leaves no room can't be opened again and again.
    if (open !== undefined && open.line.length > most / 4) open = { ...open, line: open.mark };
  }
  return chunks.filter((chunk) => chunk.trim() !== '');
}

/** The longest closing line that is expected. */
const longestMark = 8;

function closing(fence: Fence | undefined): string {
  return fence === undefined ? '' : `\n${fence.mark}`;
}

const opening = /^ {0,3}(?<mark>`{3,}|~{3,})[^`]*$/u;

/** The fence that is open at the end of a piece. */
function fenceAfter(piece: string, before: Fence | undefined): Fence | undefined {
  let open = before;
  for (const line of piece.split(/\r?\n/u)) {
    if (open === undefined) {
      const mark = opening.exec(line)?.groups?.['mark'];
      if (mark !== undefined) open = { line: line.trimEnd(), mark };
    } else if (closes(line, open.mark)) open = undefined;
  }
  return open;
}

function closes(line: string, mark: string): boolean {
  const bare = line.trim();
  return bare.length >= mark.length && bare === (mark[0] ?? '').repeat(bare.length);
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
  const found = [...text.matchAll(/^ {0,3}(?:`{3,}|~{3,})/gmu)].at(-1);
  return found?.index === 0 ? undefined : found?.index;
}
