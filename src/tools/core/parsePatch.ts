import { PincerError } from '../../base/errors.ts';

/** What a patch does to one file. `line` is where it begins in the patch, counting from 1. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string; readonly line: number }
  | UpdatePatch;

export interface UpdatePatch {
  readonly kind: 'update';
  readonly path: string;
  readonly line: number;
  readonly moveTo?: string;
  /** In the order of the file; may be empty where the file only moves. */
  readonly chunks: readonly PatchChunk[];
}

/** One place of a file that is changed. */
export interface PatchChunk {
  /** Line of the patch, counting from 1. */
  readonly line: number;
  /** Lines that come somewhere before the place, each below the one before: `@@ class A`, `@@ run()`. */
  readonly context: readonly string[];
  readonly lines: readonly PatchLine[];
  /** True where the place is the end of the file. */
  readonly isEnd: boolean;
}

/** A line of a place, without its end: kept, removed or added. */
interface PatchLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

const begin = '*** Begin Patch';
const end = '*** End Patch';
const endOfFile = '*** End of File';
const header = /^\*\*\* (Add|Delete|Update) File: (.*)$/u;
const moveHeader = /^\*\*\* Move to: (.*)$/u;
/** With the line numbers of a unified diff, which are no use here: models count badly. */
const numberedChunk = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/u;

/**
 * Reads the envelope `*** Begin Patch … *** End Patch`. A heredoc or code fence around it is left out, as models write them. Pure.
 * @throws PincerError `patch_invalid`: names the line
 */
export function parsePatch(input: string): readonly FilePatch[] {
  const reader = createPatchReader(input);
  reader.skipBlank();
  reader.expect(begin);
  const files: FilePatch[] = [];
  for (;;) {
    reader.skipBlank();
    if (reader.peek()?.trimEnd() === end) break;
    files.push(readFile(reader));
  }
  reader.next();
  reader.skipBlank();
  if (reader.peek() !== undefined) throw reader.fault(`nothing may follow "${end}"`);
  if (files.length === 0) throw reader.fault('the patch changes no file');
  return files;
}

function readFile(reader: PatchReader): FilePatch {
  const line = reader.line;
  const text = reader.peek();
  const [, kind, rawPath = ''] = header.exec(text ?? '') ?? [];
  if (kind === undefined) {
    const wanted = `"*** Add File: …", "*** Delete File: …", "*** Update File: …" or "${end}"`;
    throw reader.fault(text === undefined ? `the patch ends without "${end}"` : `expected ${wanted}`);
  }
  const path = pathOf(reader, rawPath);
  reader.next();
  if (kind === 'Delete') return { kind: 'delete', path, line };
  if (kind === 'Add') return { kind: 'add', path, line, text: readAdded(reader) };
  return readUpdate(reader, path, line);
}

function pathOf(reader: PatchReader, raw: string): string {
  const path = raw.trim();
  if (path === '') throw reader.fault('the name of the file is missing');
  return path;
}

function readAdded(reader: PatchReader): string {
  const lines: string[] = [];
  for (let text = reader.peek(); text?.startsWith('+') === true; text = reader.peek()) {
    lines.push(`${text.slice(1)}\n`);
    reader.next();
  }
  reader.skipBlank();
  const rest = reader.peek();
  if (rest !== undefined && !rest.startsWith('*** '))
    throw reader.fault('every line of an added file begins with "+"');
  return lines.join('');
}

function readUpdate(reader: PatchReader, path: string, line: number): UpdatePatch {
  const [, rawMove] = moveHeader.exec(reader.peek() ?? '') ?? [];
  const moveTo = rawMove === undefined ? undefined : pathOf(reader, rawMove);
  if (moveTo !== undefined) reader.next();
  const chunks: PatchChunk[] = [];
  for (;;) {
    reader.skipBlank();
    const text = reader.peek();
    if (text === undefined || isHeader(text)) break;
    chunks.push(readChunk(reader, chunks.length === 0));
  }
  if (chunks.length === 0 && moveTo === undefined)
    throw reader.fault(`the update of ${path} changes nothing`, line);
  return { kind: 'update', path, line, chunks, ...(moveTo === undefined ? {} : { moveTo }) };
}

function isHeader(text: string): boolean {
  return header.test(text) || text.trimEnd() === end;
}

function readChunk(reader: PatchReader, isFirst: boolean): PatchChunk {
  const { line } = reader;
  const context = readContext(reader);
  if (context === undefined && !isFirst) throw reader.fault('expected "@@", which begins the next place');
  const body = readBody(reader);
  const isEnd = reader.peek()?.trimEnd() === endOfFile;
  if (isEnd) reader.next();
  if (!body.some(({ sign }) => sign !== ' ')) {
    throw reader.fault('this place has no line that begins with "+" or "-"', line);
  }
  return { line, context: context ?? [], lines: body, isEnd };
}

/** The lines with `@@`; undefined where there is none. */
function readContext(reader: PatchReader): readonly string[] | undefined {
  const context: string[] = [];
  let isThere = false;
  for (let text = reader.peek(); text?.startsWith('@@') === true; text = reader.peek()) {
    isThere = true;
    const wanted = numberedChunk.exec(text)?.[1] ?? contextOf(reader, text);
    if (wanted.trim() !== '') context.push(wanted);
    reader.next();
  }
  return isThere ? context : undefined;
}

function contextOf(reader: PatchReader, text: string): string {
  if (text !== '@@' && !text.startsWith('@@ ')) throw reader.fault('there must be a space after "@@"');
  return text.slice(3);
}

function readBody(reader: PatchReader): readonly PatchLine[] {
  const body: PatchLine[] = [];
  let end = 0;
  for (let text = reader.peek(); text !== undefined; text = reader.peek()) {
    if (text.startsWith('@@') || text.trimEnd() === endOfFile || isHeader(text)) break;
    const sign = text === '' ? ' ' : text.charAt(0);
    if (sign !== ' ' && sign !== '+' && sign !== '-') {
      throw reader.fault('a line of a change begins with " " (kept), "-" (removed) or "+" (added)');
    }
    body.push({ sign, text: text.slice(1) });
    // Models leave out the space before an empty line; at the end such a line sets this place apart from what follows.
    if (text !== '') end = body.length;
    reader.next();
  }
  return reader.peek()?.trimEnd() === endOfFile ? body : body.slice(0, end);
}

interface PatchReader {
  /** Number of the current line in the input, counting from 1. */
  readonly line: number;
  peek(): string | undefined;
  next(): void;
  skipBlank(): void;
  expect(text: string): void;
  fault(what: string, line?: number): PincerError;
}

function createPatchReader(input: string): PatchReader {
  const all = input.split(/\r?\n/u);
  const { first, last } = withoutWrapper(all);
  const lines = all.slice(first, last);
  let at = 0;
  const reader: PatchReader = {
    get line() {
      return first + at + 1;
    },
    peek: () => lines[at],
    next: () => {
      at += 1;
    },
    skipBlank: () => {
      while (lines[at]?.trim() === '') at += 1;
    },
    expect: (text) => {
      if (lines[at]?.trimEnd() !== text) throw reader.fault(`expected "${text}"`);
      at += 1;
    },
    fault: (what, line = reader.line) =>
      new PincerError('patch_invalid', `Line ${line} of the patch: ${what}. Nothing was written.`, {
        hint: `A patch is "${begin}", one section for each file, "${end}".`,
      }),
  };
  return reader;
}

/** The lines between the first and the last line of a heredoc (`apply_patch <<'EOF' … EOF`) or of a code fence. */
function withoutWrapper(lines: readonly string[]): { readonly first: number; readonly last: number } {
  const isText = (line: string): boolean => line.trim() !== '';
  const first = lines.findIndex(isText);
  const last = lines.findLastIndex(isText);
  const whole = { first: 0, last: lines.length };
  if (first === -1 || first === last) return whole;
  const opening = lines[first] ?? '';
  const closing = (lines[last] ?? '').trim();
  const [, quote, word, closingQuote] =
    /^\s*(?:apply_patch\s+)?<<-?\s*(['"]?)(\w+)(['"]?)\s*$/u.exec(opening) ?? [];
  const isHeredoc = word !== undefined && quote === closingQuote && closing === word;
  const isFence = /^\s*```\w*\s*$/u.test(opening) && closing === '```';
  return isHeredoc || isFence ? { first: first + 1, last } : whole;
}
