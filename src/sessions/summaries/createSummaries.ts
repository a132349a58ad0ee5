import { join } from 'node:path';
import { createSerialQueue } from '../../base/createSerialQueue.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { FileStat, FileSystem, Log } from '../../host/ports.ts';
import { sessionIdIn } from '../sessionIds.ts';
import { readLines } from '../transcript/readLines.ts';
import type { SessionSummary } from './sessionSummary.ts';
import { inertLine } from '../../base/text.ts';
import type { SessionEntry, SessionHeader, TurnState } from '../../contracts/sessionEntry.ts';
import { isSaid } from '../isSaid.ts';
import { currentVersion } from '../migrations/migrations.ts';
import { readTranscriptLine } from '../transcript/readTranscriptLine.ts';

const emptyDigest: Digest = { version: 0, messageCount: 0, updatedAt: 0 };

const maxTitle = 80;

/** What lists show of all sessions of a folder. */
export interface Summaries {
  /** Newest first. Reads only what was added since it last looked. @throws PincerError `io_*` where the folder can't be read */
  all(): Promise<readonly SessionSummary[]>;
  /** Undefined where there is no such transcript. */
  one(id: string): Promise<SessionSummary | undefined>;
}

interface SummariesInput {
  readonly fs: FileSystem;
  readonly log: Log;
  /** Absolute; the transcripts lie in it. */
  readonly folder: string;
}

/** What was seen of a file, and up to where. */
interface ScanState {
  readonly size: number;
  readonly mtimeMs: number;
  /** The byte at which the next line begins. */
  readonly end: number;
  readonly digest: Digest;
}

const indexName = 'index.json';
const indexVersion = 2;
const maxIndexBytes = 64 * 1024 * 1024;
/** Bytes that are worth remembering not to read again; below, the next start reads them again. */
const worthSaving = 64 * 1024;
const atOnce = 8;

/**
 * Keeps a digest of each transcript, in memory and in `index.json`. The index is derived: each entry counts only while its file has
 * the size and time it was made for, a file that has grown is read from where it was left, and a broken index is made anew.
 */
export function createSummaries({ fs, log, folder }: SummariesInput): Summaries {
  const index = join(folder, indexName);
  let seen: Map<string, ScanState> | undefined;
  let unsaved = 0;

  const loaded = async (): Promise<Map<string, ScanState>> => (seen ??= await readIndex(fs, index));

  const look = async (known: Map<string, ScanState>, id: string, stat: FileStat): Promise<SessionSummary> => {
    const before = known.get(id);
    if (before?.size === stat.size && before.mtimeMs === stat.mtimeMs)
      return summaryAt(id, before.digest, stat);
    // One whose first line could not be read may have got another.
    const from = before?.digest.header !== undefined && stat.size > before.size ? before : undefined;
    try {
      let digest = from?.digest ?? emptyDigest;
      let end = from?.end ?? 0;
      unsaved += stat.size - end;
      for await (const batch of readLines(fs, join(folder, `${id}.jsonl`), { start: end })) {
        digest = batch.lines.reduce(addToDigest, digest);
        ({ end } = batch);
      }
      known.set(id, { size: stat.size, mtimeMs: stat.mtimeMs, end, digest });
      return summaryAt(id, digest, stat);
    } catch (error) {
      known.delete(id);
      return unreadable(id, errorMessage(error));
    }
  };

  const save = async (known: Map<string, ScanState>): Promise<void> => {
    if (unsaved < worthSaving) return;
    unsaved = 0;
    try {
      await fs.writeFile(index, JSON.stringify({ version: indexVersion, seen: Object.fromEntries(known) }));
    } catch (error) {
      log.write('warn', `The list of sessions could not be saved: ${errorMessage(error)}`);
    }
  };

  const lookAtAll = async (): Promise<readonly SessionSummary[]> => {
    if ((await fs.stat(folder)) === undefined) return [];
    const known = await loaded();
    const ids = (await fs.readDirectory(folder)).flatMap(({ name }) => sessionIdIn(name) ?? []);
    const found: SessionSummary[] = [];
    const waiting = ids.values();
    const lane = async (): Promise<void> => {
      for (const id of waiting) {
        const stat = await fs.stat(join(folder, `${id}.jsonl`));
        if (stat !== undefined) found.push(await look(known, id, stat));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    const present = new Set(ids);
    for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    await save(known);
    return found.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  };

  /** One look after the other: two would read the same lines twice. */
  const inOrder = createSerialQueue();

  return {
    all: () => inOrder(lookAtAll),
    one: (id) =>
      inOrder(async () => {
        const stat = await fs.stat(join(folder, `${id}.jsonl`));
        return stat === undefined ? undefined : await look(await loaded(), id, stat);
      }),
  };
}

async function readIndex(fs: FileSystem, index: string): Promise<Map<string, ScanState>> {
  if ((await fs.stat(index)) === undefined) return new Map();
  const value = parseJson(await fs.readText(index, maxIndexBytes).catch(() => ''));
  if (!isRecord(value) || value['version'] !== indexVersion || !isRecord(value['seen'])) return new Map();
  return new Map(Object.entries(value['seen']).flatMap(([id, each]) => (isSeen(each) ? [[id, each]] : [])));
}

function isSeen(value: unknown): value is ScanState {
  if (!isRecord(value) || !isRecord(value['digest'])) return false;
  const { messageCount, updatedAt, version } = value['digest'];
  const numbers = [value['size'], value['mtimeMs'], value['end'], messageCount, updatedAt, version];
  return numbers.every((each) => typeof each === 'number');
}

/** One whose first line can't be read stands where its file was last written, not at the end of the list. */
function summaryAt(id: string, digest: Digest, { mtimeMs }: FileStat): SessionSummary {
  const summary = summaryOf(id, digest);
  return summary.isDamaged === true ? { ...summary, updatedAt: mtimeMs } : summary;
}

/** What was seen of a transcript so far; lines that come later are added to it. It is stored as JSON. */
interface Digest {
  readonly version: number;
  readonly header?: SessionHeader;
  readonly name?: string;
  /** The first words the user wrote. */
  readonly opening?: string;
  /** As a person counts them. */
  readonly messageCount: number;
  /** Milliseconds since the epoch; 0 before the first message. */
  readonly updatedAt: number;
  readonly lastTurn?: TurnState;
}

/** The digest with one more line of the transcript. Pure. */
function addToDigest(digest: Digest, line: string): Digest {
  const read = readTranscriptLine(line, digest.version);
  if (read.kind === 'header') {
    const { version, header } = read;
    return digest.header === undefined || digest.header.id === header.id
      ? { ...digest, version, header }
      : digest;
  }
  return read.kind === 'entry' ? addEntry(digest, read.entry) : digest;
}

function addEntry(digest: Digest, entry: SessionEntry): Digest {
  switch (entry.type) {
    case 'message': {
      const { message } = entry;
      const said = message.role === 'user' && digest.opening === undefined ? openingOf(message.content) : '';
      return {
        ...digest,
        messageCount: digest.messageCount + (isSaid(message) ? 1 : 0),
        updatedAt: Math.max(digest.updatedAt, message.timestamp),
        ...(said === '' ? {} : { opening: said }),
      };
    }
    case 'turn':
      return { ...digest, lastTurn: entry.state };
    case 'name':
      return { ...digest, name: inertLine(entry.name, maxTitle) };
    case 'compaction':
    case 'settings':
    case 'end':
      return digest;
  }
}

function openingOf(content: readonly unknown[]): string {
  const own = content.flatMap((part) =>
    isRecord(part) && part['type'] === 'text' && part['isContext'] !== true ? [String(part['text'])] : [],
  );
  // A title shows no more than its first words: the rest need not be gone through.
  return inertLine(own.join(' ').slice(0, 1_000), maxTitle);
}

/** What a list shows of a session of this id. Pure. */
function summaryOf(id: string, digest: Digest): SessionSummary {
  const { header, name, opening, messageCount, lastTurn, version } = digest;
  if (header === undefined)
    return { ...unreadable(id, 'Its transcript has no readable first line.'), isDamaged: true };
  const { key, kind, agentId, createdAt, parent, tenant } = header;
  const problem =
    version > currentVersion
      ? { problem: `It was written by a newer Pincer (format ${version}), so it can only be read.` }
      : {};
  return {
    ...{ id, key, kind, agentId, createdAt, messageCount },
    title: name ?? opening ?? 'Untitled',
    isNamed: name !== undefined,
    updatedAt: Math.max(createdAt, digest.updatedAt),
    isInterrupted: lastTurn === 'started',
    ...(parent === undefined ? {} : { parent }),
    ...(tenant === undefined ? {} : { tenant }),
    ...problem,
  };
}

/** A session that can't be opened stands in the list all the same, so that it can be deleted. Pure. */
function unreadable(id: string, problem: string): SessionSummary {
  return {
    ...{ id, key: `agent:main:${id}`, kind: 'chat', agentId: 'main', title: 'Unreadable session' },
    ...{ isNamed: false, createdAt: 0, updatedAt: 0, messageCount: 0, isInterrupted: false, problem },
  };
}
