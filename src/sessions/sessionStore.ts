import { join } from 'node:path';
import { errorMessage, PincerError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { SessionEntry, SessionHeader, SessionKind } from '../contracts/session.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import { createSession, type Session } from './session.ts';
import { buildSessionKey } from './sessionKey.ts';

export interface SessionStoreDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the transcripts: `<state>/sessions`. */
  readonly folder: string;
  /** The surface, as session keys name it: `vscode`, `cli`. */
  readonly channel: string;
}

/** Transcripts on disk, one append-only JSONL file each (architecture: state on disk). */
export interface SessionStore {
  /** A new session; its file appears with its first entry. */
  create(workspaceFolders: readonly string[], origin?: SessionOrigin): Session;
  /** The session with this id, or undefined where there is none. Repeated calls give the same object. */
  open(id: string): Promise<Session | undefined>;
  /**
   * A new session that knows what was said before a turn, and nothing of the turn or after it. The old one stays as it is.
   * @throws PincerError `session_turn_unknown`
   */
  fork(session: Session, beforeRunId: string, workspaceFolders: readonly string[]): Promise<Session>;
  /** Ids of all stored sessions, newest first. */
  list(): Promise<readonly string[]>;
}

/** Where a copy of a session ends: before a turn, or with an entry; default its end. */
export type ForkPoint = { readonly beforeRunId: string } | { readonly throughEntryId: string };

/** A session as a list shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly key: string;
  readonly kind: SessionKind;
  readonly agentId: string;
  /** The user's name for it, else the first words the user wrote. */
  readonly title: string;
  readonly isNamed: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messageCount: number;
  readonly parent?: { readonly sessionId: string; readonly entryId?: string };
  /** Its last turn was cut off. */
  readonly isInterrupted: boolean;
  /** Why it can't be opened, where it can't. */
  readonly problem?: string;
}

/** A session in which something was found. */
export interface SessionHit {
  readonly summary: SessionSummary;
  /** Text around the first words that were found, one line. */
  readonly snippet: string;
  /** Places that were found. */
  readonly count: number;
}

/** Whose session it is; default the chat of the agent `main`. */
export interface SessionOrigin {
  readonly agentId?: string;
  readonly kind?: SessionKind;
  readonly parent?: { readonly sessionId: string; readonly entryId?: string };
}

// Threat: the id comes back from chat metadata or a command line, and becomes part of a path.
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const maxTranscriptBytes = 256 * 1024 * 1024;

export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const opened = new Map<string, Promise<Session | undefined>>();
  const fileOf = (id: string): string => join(deps.folder, `${id}.jsonl`);

  const load = async (id: string): Promise<Session | undefined> => {
    const file = fileOf(id);
    if ((await deps.fs.stat(file)) === undefined) return undefined;
    const { header, entries, broken } = parseTranscript(await deps.fs.readText(file, maxTranscriptBytes));
    if (header === undefined) {
      throw new PincerError('session_unreadable', `The transcript ${file} has no readable first line.`, {
        hint: 'Start a new session; the file is left as it is.',
      });
    }
    if (broken > 0) deps.log.write('warn', `${file}: ${broken} unreadable lines were skipped.`);
    return createSession({ ...deps, file, header, entries, stored: true });
  };

  const newHeader = (folders: readonly string[], origin: SessionOrigin = {}): SessionHeader => {
    const { agentId = 'main', kind = 'chat', parent } = origin;
    const id = crypto.randomUUID();
    return {
      type: 'session',
      version: 2,
      id,
      key: buildSessionKey({ agentId, kind, channel: deps.channel, id }),
      kind,
      agentId,
      createdAt: deps.clock.now(),
      folders,
      ...(parent === undefined ? {} : { parent }),
    };
  };
  const remember = (session: Session): Session => {
    opened.set(session.id, Promise.resolve(session));
    return session;
  };

  return {
    create(workspaceFolders, origin) {
      const header = newHeader(workspaceFolders, origin);
      return remember(
        createSession({ ...deps, file: fileOf(header.id), header, entries: [], stored: false }),
      );
    },
    async fork(session, beforeRunId, workspaceFolders) {
      const entries = session.before(beforeRunId);
      if (entries === undefined) {
        throw new PincerError('session_turn_unknown', 'The conversation holds no such turn.', {
          hint: 'Start a new chat; the transcript is left as it is.',
        });
      }
      const header = newHeader(workspaceFolders, {
        agentId: session.agentId,
        parent: { sessionId: session.id },
      });
      const file = fileOf(header.id);
      const lines = [header, ...entries].map((line) => JSON.stringify(line));
      await deps.fs.writeFile(file, `${lines.join('\n')}\n`);
      return remember(createSession({ ...deps, file, header, entries, stored: true }));
    },
    open(id) {
      if (!idPattern.test(id)) return Promise.resolve(undefined);
      const known = opened.get(id);
      if (known !== undefined) return known;
      const loading = load(id);
      opened.set(id, loading);
      // A failed load is not remembered: the next try reads again.
      loading.catch((error: unknown) => {
        opened.delete(id);
        deps.log.write('error', errorMessage(error));
      });
      return loading;
    },
    async list() {
      if ((await deps.fs.stat(deps.folder)) === undefined) return [];
      const names = (await deps.fs.readDirectory(deps.folder)).map((entry) =>
        entry.name.replace(/\.jsonl$/u, ''),
      );
      const ids = names.filter((name) => idPattern.test(name));
      const times = await Promise.all(ids.map(async (id) => (await deps.fs.stat(fileOf(id)))?.mtimeMs ?? 0));
      return ids
        .map((id, index) => ({ id, time: times[index] ?? 0 }))
        .sort((a, b) => b.time - a.time)
        .map((each) => each.id);
    },
  };
}

export interface ParsedTranscript {
  readonly header: SessionHeader | undefined;
  readonly entries: readonly SessionEntry[];
  /** Lines that are no entry: a write cut short by a crash, or damage. */
  readonly broken: number;
}

/** Reads a transcript. A line that can't be read costs that line alone. Pure. */
export function parseTranscript(text: string): ParsedTranscript {
  const lines = text.split('\n').filter((line) => line !== '');
  const header = parseJson(lines[0] ?? '');
  const values = lines.slice(1).map(parseJson);
  const entries = values.filter(isEntry);
  return {
    header: readHeader(header),
    entries,
    broken: values.length - entries.length,
  };
}

/** Version 1 knew neither agents nor channels. */
function readHeader(value: unknown): SessionHeader | undefined {
  if (!isRecord(value) || value['type'] !== 'session' || typeof value['id'] !== 'string') return undefined;
  if (value['version'] === 2) return value as unknown as SessionHeader;
  if (value['version'] !== 1) return undefined;
  const old = { ...value, version: 2, key: `agent:main:${value['id']}`, kind: 'chat', agentId: 'main' };
  return old as unknown as SessionHeader;
}

function isEntry(value: unknown): value is SessionEntry {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  if (value['type'] === 'turn') return typeof value['runId'] === 'string';
  if (value['type'] === 'compaction') return typeof value['summary'] === 'string';
  if (value['type'] === 'settings') return isRecord(value['settings']);
  if (value['type'] === 'name') return typeof value['name'] === 'string';
  if (value['type'] === 'end') return typeof value['reason'] === 'string';
  return (
    value['type'] === 'message' && isRecord(value['message']) && Array.isArray(value['message']['content'])
  );
}
