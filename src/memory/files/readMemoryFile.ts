import { createHash } from 'node:crypto';
import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { redactKeys } from '../../base/secrets/redactKeys.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import type { FileStat, FileSystem } from '../../host/ports.ts';
import type { FoundFile } from './findMemoryFiles.ts';

/** What a file says, as a text to cut into passages. */
export type ReadResult =
  | { readonly kind: 'text'; readonly text: string; readonly hash: string; readonly file: FoundFile }
  /** It is there and can't be indexed; the end of a sentence: `it is larger than 10 MB`. */
  | { readonly kind: 'left-out'; readonly reason: string; readonly file: FoundFile }
  | { readonly kind: 'gone' };

interface ReadOptions {
  /** Default 10 MB, and 20 MB for transcripts, which hold images too. A larger file is not opened. */
  readonly maxBytes?: number;
}

/** Whatever is larger is no notes. */
const defaultMaxBytes = { memory: 10_000_000, sessions: 20_000_000 };
/** A file that is being written is read once more; what changes again waits for the next scan. */
const attempts = 2;

/**
 * Reads a file as text, with the hash of its bytes. What it gives is what the file said at one moment: it is looked at before and
 * after, and must still lie where it was found. Of a transcript it is what was said, without what looks like a key. Never blocks on what is no regular file, and throws only what is a bug.
 */
export async function readMemoryFile(
  fs: FileSystem,
  file: FoundFile,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes[file.source];
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const result = await readOnce(fs, file, maxBytes);
      if (result !== 'changed') return result;
    }
    return { kind: 'left-out', reason: 'it kept changing while it was read', file };
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    if (error.code === 'io_not_found') return { kind: 'gone' };
    return { kind: 'left-out', reason: reasonOf(error, maxBytes), file };
  }
}

async function readOnce(fs: FileSystem, file: FoundFile, maxBytes: number): Promise<ReadResult | 'changed'> {
  const path = file.realPath ?? file.path;
  const before = await fs.lstat(path);
  if (before === undefined) return { kind: 'gone' };
  const looked = { ...file, bytes: before.size, modified: Math.floor(before.mtimeMs) };
  if (before.kind !== 'file') return { kind: 'left-out', reason: 'it is not a regular file', file: looked };
  if (before.size > maxBytes) return { kind: 'left-out', reason: tooLarge(maxBytes), file: looked };
  const bytes = await fs.readFile(path, maxBytes);
  const after = await fs.lstat(path);
  if (after === undefined || !isSame(before, after) || bytes.length !== after.size) return 'changed';
  // A folder above it became a link: what was read is another file.
  if (file.realPath !== undefined && (await fs.realpath(path)) !== path) return { kind: 'gone' };
  const text = decodeText(bytes);
  if (text === undefined) return { kind: 'left-out', reason: 'it is not text', file: looked };
  const hash = createHash('sha256').update(bytes).digest('hex');
  const said = file.source === 'sessions' ? renderTranscript(text).text : text;
  return { kind: 'text', text: said, hash, file: looked };
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.kind === b.kind && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${String(maxBytes / 1_000_000)} MB`;
}

function reasonOf(error: PincerError, maxBytes: number): string {
  if (error.code === 'io_too_large') return tooLarge(maxBytes);
  return error.code === 'io_not_a_file' ? 'it is not a regular file' : `it can't be read (${error.message})`;
}

/**
 * The text of a file: UTF-8, or UTF-16 where it begins with that mark. The mark is dropped; bytes that are no text become U+FFFD,
 * which moves no line. Undefined for what is no text at all: it holds a NUL.
 */
function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) return undefined;
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding !== 'utf-8' && text.includes('\0') ? undefined : text;
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** What was said in a session, as a text to cut into passages. */
interface RenderedTranscript {
  /** `User: …` and `Assistant: …`, a blank line after each. */
  readonly text: string;
}

const speakers: Readonly<Partial<Record<string, Utterance['who']>>> = {
  user: 'User',
  assistant: 'Assistant',
};

interface Utterance {
  readonly who: 'User' | 'Assistant';
  readonly text: string;
}

/** The turn that is being read. */
interface OpenTurn {
  said: Utterance[];
  hasAnswer: boolean;
}

/**
 * Renders a transcript as users and assistants spoke. Left out: what tools returned, what was attached to the
 * user's words, and turns that ended without an answer, since a plugin blocked them and what is stored are its
 * words. Obvious keys are removed. A line that can't be read, such as one that a crash cut short, costs that line alone. Of a
 * session that belongs to a tenant nothing is rendered: every agent of the workspace searches the same index. Pure.
 */
export function renderTranscript(jsonl: string): RenderedTranscript {
  const all: Utterance[] = [];
  let turn: OpenTurn = { said: [], hasAnswer: true };
  const close = (isBlocked: boolean): void => {
    if (!isBlocked) all.push(...turn.said);
    turn = { said: [], hasAnswer: false };
  };
  for (const line of jsonl.split('\n')) {
    const value = parseJson(line);
    if (belongsToTenant(value)) return { text: '' };
    const entry = asEntry(value);
    if (entry?.type === 'turn') close(entry.state === 'completed' && !turn.hasAnswer);
    if (entry?.type !== 'message') continue;
    const who = speakers[entry.message.role];
    if (who === undefined) continue;
    turn.hasAnswer ||= who === 'Assistant';
    const text = closeFence(redactKeys(ownText(entry.message)));
    if (text !== '') turn.said.push({ who, text });
  }
  close(false);
  return { text: all.map(({ who, text }) => `${who}: ${text}\n`).join('\n') };
}

/** Anything but a user alone counts: what can't be read is not shown around. */
function belongsToTenant(value: unknown): boolean {
  if (!isRecord(value) || value['type'] !== 'session' || value['tenant'] === undefined) return false;
  return !isRecord(value['tenant']) || value['tenant']['tenantId'] !== undefined;
}

/** What the speaker wrote, without what was put beside it. */
function ownText(message: AgentMessage): string {
  return message.content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .replace(/\r\n?/gu, '\n')
    .trim();
}

/** An answer that was cut short inside a code block must not turn all that follows into code. */
function closeFence(text: string): string {
  let open: string | undefined;
  for (const [, fence = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gmu)) {
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}

function asEntry(value: unknown): SessionEntry | undefined {
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'turn') return value as unknown as SessionEntry;
  const message = value['message'];
  const isMessage = value['type'] === 'message' && isRecord(message) && Array.isArray(message['content']);
  return isMessage && (message['content'] as unknown[]).every(isRecord)
    ? (value as unknown as SessionEntry)
    : undefined;
}
