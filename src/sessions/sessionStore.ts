import { join } from 'node:path';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import { inertLine } from '../base/text.ts';
import type { SessionEntry, SessionHeader, SessionKind } from '../contracts/sessionEntry.ts';
import { nameInvalid, notRepaired, sessionInUse, sessionUnknown, turnUnknown } from './sessionErrors.ts';
import { toMarkdown } from './markdown/toMarkdown.ts';
import { currentVersion } from './migrations/migrations.ts';
import { repairTranscript } from './repairTranscript.ts';
import { searchSessions, type SessionHit } from './search/searchSessions.ts';
import { createTranscripts, maxTranscriptBytes, type SessionStoreDeps } from './createTranscripts.ts';
import type { Session } from './session.ts';
import { isSessionId, sessionIdIn } from './sessionIds.ts';
import { buildSessionKey, parseSessionKey } from './sessionKey.ts';
import { createSummaries } from './summaries/createSummaries.ts';
import type { SessionSummary } from './summaries/sessionSummary.ts';

export type { SessionStoreDeps } from './createTranscripts.ts';
export type { SessionHit } from './search/searchSessions.ts';
export type { SessionSummary } from './summaries/sessionSummary.ts';

/** Transcripts on disk, one append-only JSONL file each (docs/sessions.md). */
export interface SessionStore {
  /** A session appeared or went, or what a list shows of it changed; names it. */
  readonly onDidChange: Event<string>;
  /** A new session; its file appears with its first entry. */
  create(workspaceFolders: readonly string[], origin?: SessionOrigin): Session;
  /**
   * The session with this id, or undefined where there is none. Repeated calls give the same object. One that a newer Pincer wrote
   * can only be read. @throws PincerError `session_unreadable`, `io_*`
   */
  open(id: string): Promise<Session | undefined>;
  /** The session where this process has opened or made it; waits for nothing. */
  peek(id: string): Session | undefined;
  /**
   * The session that a key stands for now, the newest of its chat; undefined where there is none. Those of this process are found
   * first: another one may have begun a newer one since.
   */
  ofKey(key: string): Promise<string | undefined>;
  /** Whether a session of this chat, as far as it was opened here, belongs to another tenant. Waits for nothing. */
  isOfOthers(chatId: string, tenant: SessionHeader['tenant']): boolean;
  /** Whether another session has come in place of this one: its key is that of the newer one now. */
  isReplaced(id: string): Promise<boolean>;
  /**
   * A new session that knows what was said up to a point. The old one stays as it is.
   * @throws PincerError `session_turn_unknown`
   */
  fork(session: Session, at: ForkPoint | undefined, workspaceFolders: readonly string[]): Promise<Session>;
  /** Ids of all stored sessions, the one that was written last first. */
  list(): Promise<readonly string[]>;
  /** Newest first; those that can't be opened say why. Reads no transcript that it has read before. */
  summaries(): Promise<readonly SessionSummary[]>;
  /** One of them; undefined where there is no such transcript. */
  summary(id: string): Promise<SessionSummary | undefined>;
  /**
   * Sessions in which all words occur, best first; none for no words. `isWanted` says which are looked into; default all.
   * @throws PincerError `cancelled`
   */
  search(
    query: string,
    signal: AbortSignal,
    isWanted?: (session: SessionSummary) => boolean,
  ): Promise<readonly SessionHit[]>;
  /** @throws PincerError `session_unknown`, `session_name_invalid` */
  rename(id: string, name: string): Promise<void>;
  /** All of the transcript, with what a session leaves out once a compaction stands for it. @throws PincerError `session_unknown` */
  readWhole(id: string): Promise<readonly SessionEntry[]>;
  /** The conversation as markdown; secrets are already out of it. @throws PincerError `session_unknown` */
  exportMarkdown(id: string): Promise<string>;
  /**
   * Gives a transcript a new first line in place of one that can't be read, and gives where the file as it was lies now; absolute.
   * Nothing may be written to it meanwhile.
   * @throws PincerError `session_unknown`, `session_in_order`, `session_tenant_lost`
   */
  repair(id: string, workspaceFolders: readonly string[]): Promise<string>;
  /** Resolves where the session may be removed now. @throws PincerError `session_unknown`, `session_in_use` */
  checkRemoval(id: string): Promise<void>;
  /**
   * Removes the transcript and what lies beside it. Nothing can be added to the session any more.
   * @throws PincerError `session_unknown`, `session_in_use`
   */
  remove(id: string): Promise<void>;
}

/** Whose session it is; default the chat of the agent `main`. */
export interface SessionOrigin {
  readonly agentId?: string;
  readonly kind?: SessionKind;
  readonly parent?: { readonly sessionId: string; readonly entryId?: string };
  /** Of the chat, where the session comes in place of another one: it gets the key of that; default a new one. */
  readonly chatId?: string;
  /** The message channel that it is a conversation of; default the surface. */
  readonly channel?: string;
  /** On whose behalf; a fork and a started agent have that of the session they come from. */
  readonly tenant?: SessionHeader['tenant'];
}

const maxName = 100;
/** The transcript, a copy of a damaged one, what plugins keep of the session, and what waits to be read. */
const suffixes = ['.plugins.json', '.inbox.json', '.jsonl.damaged', '.jsonl'];

export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const { fs, folder } = deps;
  const changed: Emitter<string> = createEmitter();
  const summaries = createSummaries(deps);
  const transcripts = createTranscripts(deps, (id) => changed.fire(id));

  /** A turn that has no end on disk may go on in another process: only then is it worth to ask. */
  const asItRuns = async (summary: SessionSummary): Promise<SessionSummary> =>
    summary.isInterrupted && (await deps.isInTurnElsewhere?.(summary.id)) === true
      ? { ...summary, isInterrupted: false, runsElsewhere: true }
      : summary;
  const listed = async (): Promise<readonly SessionSummary[]> =>
    await Promise.all((await summaries.all()).map(asItRuns));
  /** Those on disk and those of this process in which nothing was stored yet. */
  const everywhere = async (): Promise<readonly Keyed[]> => [
    ...(await summaries.all()),
    ...transcripts.present(),
  ];
  const mustOpen = async (id: string): Promise<Session> => {
    const session = await transcripts.open(id);
    if (session === undefined) throw sessionUnknown(id);
    return session;
  };
  const checkRemoval = async (id: string): Promise<void> => {
    if (!isSessionId(id) || (await fs.stat(transcripts.fileOf(id))) === undefined) throw sessionUnknown(id);
    if ((await deps.isOpenElsewhere?.(id)) === true) throw sessionInUse(id);
  };
  const newHeader = (folders: readonly string[], origin: SessionOrigin = {}): SessionHeader => {
    const { agentId = 'main', kind = 'chat', parent, tenant } = origin;
    const id = crypto.randomUUID();
    const { channel = deps.channel, chatId = id } = origin;
    const key = buildSessionKey({ agentId, kind, channel, chatId });
    return {
      ...{ type: 'session', version: currentVersion, id, key, kind, agentId, folders },
      createdAt: deps.clock.now(),
      ...(parent === undefined ? {} : { parent }),
      ...(tenant === undefined ? {} : { tenant }),
    };
  };

  return {
    onDidChange: changed.event,
    create: (folders, origin) => transcripts.create(newHeader(folders, origin)),
    open: (id) => transcripts.open(id),
    peek: (id) => transcripts.peek(id),
    async ofKey(key) {
      const here = newestOf(transcripts.present().filter((each) => each.key === key));
      return (here ?? newestOf((await summaries.all()).filter((each) => each.key === key)))?.id;
    },
    isOfOthers: (chatId, tenant) =>
      transcripts
        .present()
        .some(
          (each) =>
            parseSessionKey(each.key)?.chatId === chatId && each.tenant?.tenantId !== tenant?.tenantId,
        ),
    async isReplaced(id) {
      const all = await everywhere();
      const own = all.find((each) => each.id === id);
      return own !== undefined && newestOf(all.filter(({ key }) => key === own.key))?.id !== id;
    },
    async fork(session, at, folders) {
      const entries = forkEntries(await transcripts.readWhole(session), at);
      const last = entries.at(-1);
      const parent = { sessionId: session.id, ...(last === undefined ? {} : { entryId: last.id }) };
      const { agentId } = session;
      const { tenant } = session.header;
      const header = newHeader(folders, { agentId, parent, ...(tenant === undefined ? {} : { tenant }) });
      const fork = await transcripts.add(header, entries);
      changed.fire(fork.id);
      return fork;
    },
    async list() {
      if ((await fs.stat(folder)) === undefined) return [];
      const ids = (await fs.readDirectory(folder)).flatMap(({ name }) => sessionIdIn(name) ?? []);
      const times = await Promise.all(
        ids.map(async (id) => (await fs.stat(transcripts.fileOf(id)))?.mtimeMs ?? 0),
      );
      return ids
        .map((id, index) => ({ id, time: times[index] ?? 0 }))
        .sort((a, b) => b.time - a.time)
        .map((each) => each.id);
    },
    summaries: listed,
    async summary(id) {
      const summary = isSessionId(id) ? await summaries.one(id) : undefined;
      return summary === undefined ? undefined : await asItRuns(summary);
    },
    search: async (query, signal, isWanted = () => true) =>
      await searchSessions(deps, (await listed()).filter(isWanted), query, signal),
    async rename(id, name) {
      const shown = inertLine(name, maxName);
      if (shown === '') throw nameInvalid();
      await (await mustOpen(id)).rename(shown);
    },
    readWhole: async (id) => await transcripts.readWhole(await mustOpen(id)),
    async exportMarkdown(id) {
      const session = await mustOpen(id);
      const entries = await transcripts.readWhole(session);
      const title = (await summaries.one(id))?.title ?? 'Untitled';
      return toMarkdown({ header: session.header, entries, title });
    },
    async repair(id, folders) {
      const file = transcripts.fileOf(id);
      if (!isSessionId(id) || (await fs.stat(file)) === undefined) throw sessionUnknown(id);
      const text = await fs.readText(file, maxTranscriptBytes);
      const createdAt = (await fs.stat(file))?.mtimeMs ?? deps.clock.now();
      const repair = repairTranscript(text, { id, channel: deps.channel, folders, createdAt });
      if (repair.kind !== 'mended') throw notRepaired(id, repair.kind);
      const copy = `${file}.damaged`;
      await fs.writeFile(copy, text);
      await fs.writeFile(file, repair.text);
      changed.fire(id);
      return copy;
    },
    checkRemoval,
    async remove(id) {
      await checkRemoval(id);
      await transcripts.close(id);
      // The transcript goes last: whatever is cut off before, the session is still listed and can be deleted again.
      for (const suffix of suffixes) await fs.remove(join(folder, `${id}${suffix}`));
      changed.fire(id);
    },
  };
}

/** A session, as far as its key goes. */
interface Keyed {
  readonly id: string;
  readonly key: string;
  readonly createdAt: number;
}

function newestOf(sessions: readonly Keyed[]): Keyed | undefined {
  return sessions.reduce<Keyed | undefined>(
    (newest, each) => (newest === undefined || each.createdAt >= newest.createdAt ? each : newest),
    undefined,
  );
}

/** Where a copy of a session ends: before a turn, or with an entry; default its end. */
export type ForkPoint = { readonly beforeRunId: string } | { readonly throughEntryId: string };

/**
 * The lines that a fork begins with. A fork that ends before a compaction knows the conversation as it was: that undoes it. A
 * turn that is still open there counts as cancelled, so that nobody takes it for one to resume. Pure.
 * @throws PincerError `session_turn_unknown`
 */
function forkEntries(entries: readonly SessionEntry[], at?: ForkPoint): readonly SessionEntry[] {
  const copied = at === undefined ? entries : entries.slice(0, endOf(entries, at));
  const last = copied.findLast((entry) => entry.type === 'turn');
  if (last?.state !== 'started') return copied;
  const { runId } = last;
  const parentId = copied.at(-1)?.id ?? null;
  return [...copied, { type: 'turn', id: crypto.randomUUID(), parentId, runId, state: 'cancelled' }];
}

function endOf(entries: readonly SessionEntry[], at: ForkPoint): number {
  const found =
    'beforeRunId' in at
      ? entries.findIndex((entry) => entry.type === 'turn' && entry.runId === at.beforeRunId)
      : entries.findIndex((entry) => entry.id === at.throughEntryId);
  if (found === -1) throw turnUnknown();
  return 'beforeRunId' in at ? found : found + 1;
}
