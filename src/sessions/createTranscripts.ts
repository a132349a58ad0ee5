import { join } from 'node:path';
import { errorMessage, type PincerError } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ToolResultMessage } from '../contracts/message.ts';
import type { SessionEntry, SessionHeader } from '../contracts/sessionEntry.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import { sessionNewer, sessionRemoved, sessionUnreadable } from './sessionErrors.ts';
import { currentVersion } from './migrations/migrations.ts';
import { redactEntry, type Redact } from './redactEntry.ts';
import { createSession, type Session } from './session.ts';
import { isSessionId } from './sessionIds.ts';
import { createTranscriptWriter, type TranscriptWriter } from './transcript/createTranscriptWriter.ts';
import { parseTranscript, type ParsedTranscript } from './transcript/parseTranscript.ts';
import { cutMark } from './transcript/readTranscriptLine.ts';

export interface SessionStoreDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the transcripts: `<state>/sessions`. */
  readonly folder: string;
  /** The surface, as session keys name it: `vscode`, `cli`. */
  readonly channel: string;
  /** Takes secrets out of a text before it is written; absent, nothing is taken out. */
  readonly redact?: Redact;
  /** What of a tool result may be stored; absent, all of it. */
  readonly capResult?: (result: ToolResultMessage) => ToolResultMessage;
  /** True while another living process has the session open; absent, none has. */
  readonly isOpenElsewhere?: (id: string) => Promise<boolean>;
  /** True while another living process is in a turn of the session; absent, none is. */
  readonly isInTurnElsewhere?: (id: string) => Promise<boolean>;
  /** A line of a session is on disk. Must not throw; absent, nobody hears it. */
  readonly onStored?: (session: Session, entry: SessionEntry) => void;
  /** Told what a crash has cut off. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** The sessions of this process and their files. */
interface Transcripts {
  /** Absolute. */
  fileOf(id: string): string;
  /** A session without a file; that appears with its first entry. */
  create(header: SessionHeader): Session;
  /** A session whose file is written at once, as a whole. @throws PincerError `io_*` */
  add(header: SessionHeader, entries: readonly SessionEntry[]): Promise<Session>;
  /** Undefined where there is none; the same object each time. @throws PincerError `session_unreadable`, `io_*` */
  open(id: string): Promise<Session | undefined>;
  /** One that was made or opened here; waits for nothing. */
  peek(id: string): Session | undefined;
  /** All of them, with when each was made. */
  present(): readonly (Pick<SessionHeader, 'id' | 'key' | 'createdAt'> & {
    readonly tenant: SessionHeader['tenant'];
  })[];
  /** Every line of its file: also what is no longer in memory. @throws PincerError `io_*` */
  readWhole(session: Session): Promise<readonly SessionEntry[]>;
  /** The session is deleted: it is opened no more, nothing can be added to it, and nothing is being written any more. */
  close(id: string): Promise<void>;
}

export const maxTranscriptBytes = 256 * 1024 * 1024;

/** A session and what writes its file. */
interface Opened {
  readonly session: Session;
  readonly writer: TranscriptWriter;
}

export function createTranscripts(deps: SessionStoreDeps, onStored: (id: string) => void): Transcripts {
  const { fs, log, clock } = deps;
  const opened = new Map<string, Promise<Opened | undefined>>();
  /** What of `opened` is there already. */
  const present = new Map<string, Session>();
  const removed = new Set<string>();
  const protect = createProtection(deps);
  const fileOf = (id: string): string => join(deps.folder, `${id}.jsonl`);

  const make = (
    header: SessionHeader,
    entries: readonly SessionEntry[],
    { isNew, version, size }: { readonly isNew: boolean; readonly version: number; readonly size: number },
  ): Opened => {
    const file = fileOf(header.id);
    // A file of an older version says where lines of this one begin; nothing of it is written again.
    const hasHead = isNew || version < currentVersion;
    // Made with the first line: until then a new session can still be given to a tenant.
    const head = (): string => JSON.stringify(session.header);
    const writer = createTranscriptWriter({ fs, file, isNew, ...(hasHead ? { head } : {}) });
    const newer = version > currentVersion ? sessionNewer(file, version) : undefined;
    /** How long the file was before this process added to it, without what others have added since. */
    let foreign = size;
    const readNewer = async (): Promise<readonly SessionEntry[]> => {
      await writer.settled();
      const before = writer.bytes();
      const now = (await fs.stat(file))?.size;
      if (now === undefined || now === foreign + before) return [];
      const found = await read(header.id);
      foreign = now - before;
      return found?.entries ?? [];
    };
    const session = createSession({
      ...{ clock, file, header, entries, writer, protect, readNewer, stored: !isNew },
      refusal: (): PincerError | undefined => (removed.has(header.id) ? sessionRemoved(header.id) : newer),
      onStored: (entry) => {
        onStored(header.id);
        deps.onStored?.(session, entry);
      },
    });
    present.set(session.id, session);
    return { session, writer };
  };
  const remember = (made: Opened): Session => {
    opened.set(made.session.id, Promise.resolve(made));
    return made.session;
  };

  /** `size`: of what was read, in bytes. */
  const read = async (id: string): Promise<(ParsedTranscript & { readonly size: number }) | undefined> => {
    const file = fileOf(id);
    if ((await fs.stat(file)) === undefined) return undefined;
    const text = await fs.readText(file, maxTranscriptBytes);
    return { ...parseTranscript(text), size: Buffer.byteLength(text) };
  };
  /** A line that a crash cut off is closed, so that it is told of once; another process may just be writing its own. */
  const closeTail = async (id: string, { isTorn, lostTail }: ParsedTranscript): Promise<void> => {
    if (!isTorn || (await deps.isOpenElsewhere?.(id)) === true) return;
    await fs.appendDurably(fileOf(id), lostTail ? `${cutMark}\n` : '\n');
    if (lostTail) deps.report?.(cutOff(fileOf(id)));
  };
  const load = async (id: string): Promise<Opened | undefined> => {
    const found = await read(id);
    if (found === undefined) return undefined;
    const { header, entries, damaged, version } = found;
    if (header === undefined) throw sessionUnreadable(fileOf(id), id);
    if (damaged > 0) {
      log.write('warn', `${fileOf(id)}: ${damaged} unreadable lines were skipped.`);
      const hint = `The rest is there: ${plural(damaged, 'line')} of the transcript ${damaged === 1 ? 'was' : 'were'} left out.`;
      deps.report?.(unreadableState(fileOf(id), 'A part of a conversation is left out', hint));
    }
    if (version <= currentVersion) await closeTail(id, found);
    return make(header, entries, { isNew: false, version, size: found.size });
  };
  const openOnce = (id: string): Promise<Opened | undefined> => {
    if (!isSessionId(id) || removed.has(id)) return Promise.resolve(undefined);
    const known = opened.get(id);
    if (known !== undefined) return known;
    const loading = load(id);
    opened.set(id, loading);
    // Neither a failed load nor a session that is not there is remembered: the next try looks again.
    loading.then(
      (found) => {
        if (found === undefined) opened.delete(id);
      },
      (error: unknown) => {
        opened.delete(id);
        log.write('error', errorMessage(error));
      },
    );
    return loading;
  };

  return {
    fileOf,
    create: (header) => remember(make(header, [], { isNew: true, version: currentVersion, size: 0 })),
    async add(header, entries) {
      const lines = [header, ...entries].map((line) => JSON.stringify(line));
      const text = `${lines.join('\n')}\n`;
      await fs.writeFile(fileOf(header.id), text);
      const size = Buffer.byteLength(text);
      return remember(make(header, entries, { isNew: false, version: currentVersion, size }));
    },
    async open(id) {
      return (await openOnce(id))?.session;
    },
    present: () =>
      [...present.values()].map(({ id, key, header: { createdAt, tenant } }) => ({
        id,
        key,
        createdAt,
        tenant,
      })),
    peek: (id) => (removed.has(id) ? undefined : present.get(id)),
    async readWhole(session) {
      await (await opened.get(session.id))?.writer.settled();
      return (await read(session.id))?.entries ?? session.entries();
    },
    async close(id) {
      removed.add(id);
      const writer = (await opened.get(id)?.catch(() => undefined))?.writer;
      await writer?.settled();
      opened.delete(id);
      present.delete(id);
    },
  };
}

/** What is stored holds no secret and is no longer than it may be, whoever made it. */
function createProtection({ redact, capResult }: SessionStoreDeps): (entry: SessionEntry) => SessionEntry {
  return (given) => {
    const entry = redact === undefined ? given : redactEntry(given, redact);
    if (capResult === undefined || entry.type !== 'message' || entry.message.role !== 'toolResult')
      return entry;
    return { ...entry, message: capResult(entry.message) };
  };
}

function cutOff(file: string): Diagnostic {
  return {
    level: 'warn',
    code: 'transcript_cut_off',
    message: `A crash cut off the last line of ${file}.`,
    hint: 'Everything before it is there. What was being written then was not yet confirmed.',
  };
}
