// Threat: what waits here is the user's own words, and no plugin has judged them yet. They lie in a file of the user alone,
// without secrets, never in a log, and are gone from it as soon as the transcript has what may be kept.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createEmitter, type Event } from '../base/event.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import { sessionUnknown } from './sessionErrors.ts';
import { isSessionId } from './sessionIds.ts';

/**
 * What the user said while a turn was running and nobody has read yet. `steer` is read at the next steering point: after a tool
 * call or before the next model call. `followUp` waits until the turn would end.
 */
export interface WaitingMessage {
  readonly id: string;
  readonly kind: 'steer' | 'followUp';
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Absent, the user said it. */
  readonly from?: 'agent';
}

/**
 * The waiting messages of every session, kept beside the transcripts so that they survive a crash. A message that was taken is
 * gone from the file only when the transcript holds it: `take` gives it out, `settle` forgets it.
 */
export interface Inbox {
  /** In the order they will be read. */
  list(sessionId: string): readonly WaitingMessage[];
  /** Ids of the sessions that this process knows to have some waiting, whether a turn of them runs or not. */
  sessions(): readonly string[];
  /** Reads what a session has waiting from disk; to be called when the session is opened. */
  open(sessionId: string): Promise<readonly WaitingMessage[]>;
  /** Resolves once it is on disk. @throws PincerError `inbox_full`, `inbox_empty_text`, `inbox_text_too_long`, `session_unknown` */
  add(
    sessionId: string,
    kind: WaitingMessage['kind'],
    text: string,
    from?: WaitingMessage['from'],
  ): Promise<WaitingMessage>;
  /** False where it no longer waits: it was read meanwhile. @throws PincerError `inbox_empty_text`, `inbox_text_too_long` */
  edit(
    sessionId: string,
    id: string,
    change: { readonly text?: string; readonly kind?: WaitingMessage['kind'] },
  ): Promise<boolean>;
  remove(sessionId: string, id: string): Promise<boolean>;
  /** Puts a message in front of another one of its kind; null puts it last. */
  move(sessionId: string, id: string, before: string | null): Promise<boolean>;
  /** Gives out the waiting ones of a kind, all for `steer`, the first for `followUp`; they can no longer be edited. */
  take(sessionId: string, kind: WaitingMessage['kind']): readonly WaitingMessage[];
  /** They were not read after all, since the turn ended: they wait again, where they were. */
  release(sessionId: string, ids: readonly string[]): void;
  /** The transcript holds them now. */
  settle(sessionId: string, ids: readonly string[]): Promise<void>;
  /** Nothing of the session stays. */
  removeSession(sessionId: string): Promise<void>;
  /** Names the session whose messages changed. */
  readonly onDidChange: Event<string>;
}

export interface InboxDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the transcripts. */
  readonly folder: string;
  /** Ids of the waiting messages that a session's transcript holds: `readInboxIds` of its entries. */
  readonly readIds: (sessionId: string) => Promise<ReadonlySet<string>>;
  /** Takes secrets out of a text before it is written; the turn that runs still reads it as it was said. */
  readonly redact?: (text: string) => string;
  /** Told of a file that can't be read. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** What waits in one session. Taken messages stay until they are settled. */
interface SessionInbox {
  messages: readonly WaitingMessage[];
  readonly taken: Set<string>;
}

/**
 * The durable list of waiting messages: `<folder>/<session>.inbox.json`. Changes hold at once for this process and are
 * written one after the other; a method that changes something rejects with `io_*` where that fails.
 */
export function createInbox(deps: InboxDeps): Inbox {
  const { fs, clock, folder, redact = (text: string) => text } = deps;
  const changed = createEmitter<string>();
  const inboxes = new Map<string, SessionInbox>();
  /** Files that can't be read; each is told of once. */
  const told = new Set<string>();

  const fileOf = (sessionId: string): string => join(folder, `${sessionId}.inbox.json`);
  const inOrder = createSerialQueue();
  const waitingIn = (inbox: SessionInbox | undefined): readonly WaitingMessage[] =>
    inReadingOrder((inbox?.messages ?? []).filter(({ id }) => inbox?.taken.has(id) === false));

  const save = async (sessionId: string, { messages }: SessionInbox): Promise<void> => {
    if (messages.length === 0) {
      await fs.remove(fileOf(sessionId));
      return;
    }
    const stored = messages.map((each) => ({ ...each, text: redact(each.text) }));
    await fs.writeFile(fileOf(sessionId), JSON.stringify({ version: 1, messages: stored }), 'private');
  };
  const load = async (sessionId: string): Promise<SessionInbox> => {
    // Threat: the id becomes part of a path.
    if (!isSessionId(sessionId)) throw sessionUnknown(sessionId);
    // Read each time: another window may have added, read or removed some.
    const stored = await readStored(deps, told, fileOf(sessionId));
    const read = stored.length === 0 ? new Set<string>() : await deps.readIds(sessionId);
    const inbox: SessionInbox = inboxes.get(sessionId) ?? { messages: [], taken: new Set() };
    const own = inbox.messages;
    inbox.messages = stored
      .filter(({ id }) => !read.has(id))
      .map((each) => own.find((one) => isSame(each, one, redact)) ?? each);
    inboxes.set(sessionId, inbox);
    // Who shows what waits learns what other windows did, and what an earlier window left.
    if (!isDeepStrictEqual(own, inbox.messages)) changed.fire(sessionId);
    // A crash came between reading and settling; what was read must not lie here any longer.
    if (inbox.messages.length < stored.length) await save(sessionId, inbox);
    return inbox;
  };
  const change = (
    sessionId: string,
    next: (inbox: SessionInbox) => readonly WaitingMessage[] | undefined,
  ): Promise<boolean> =>
    inOrder(async () => {
      const inbox = await load(sessionId);
      const messages = next(inbox);
      if (messages === undefined) return false;
      inbox.messages = messages;
      changed.fire(sessionId);
      await save(sessionId, inbox);
      return true;
    });
  /** As `change`, of one message that still waits. */
  const changeOne = (
    sessionId: string,
    id: string,
    next: (messages: readonly WaitingMessage[]) => readonly WaitingMessage[],
  ): Promise<boolean> =>
    change(sessionId, (inbox) =>
      waitingIn(inbox).some((each) => each.id === id) ? next(inbox.messages) : undefined,
    );

  return {
    onDidChange: changed.event,
    list: (sessionId) => waitingIn(inboxes.get(sessionId)),
    sessions: () => [...inboxes.keys()].filter((id) => waitingIn(inboxes.get(id)).length > 0),
    open: (sessionId) => inOrder(async () => waitingIn(await load(sessionId))),
    async add(sessionId, kind, text, from) {
      const message: WaitingMessage = {
        id: crypto.randomUUID(),
        kind,
        text: checkText(text),
        createdAt: clock.now(),
        ...(from === undefined ? {} : { from }),
      };
      try {
        await change(sessionId, ({ messages }) => {
          checkRoom(messages);
          return [...messages, message];
        });
      } catch (error) {
        const inbox = inboxes.get(sessionId);
        if (inbox !== undefined) inbox.messages = inbox.messages.filter((each) => each !== message);
        changed.fire(sessionId);
        throw error;
      }
      return message;
    },
    edit: (sessionId, id, edit) => changeOne(sessionId, id, (messages) => editMessage(messages, id, edit)),
    remove: (sessionId, id) =>
      changeOne(sessionId, id, (messages) => messages.filter((each) => each.id !== id)),
    move: (sessionId, id, before) =>
      changeOne(sessionId, id, (messages) => moveMessage(messages, id, before)),
    take(sessionId, kind) {
      const inbox = inboxes.get(sessionId);
      const waiting = waitingIn(inbox).filter((each) => each.kind === kind);
      const given = kind === 'steer' ? waiting : waiting.slice(0, 1);
      for (const { id } of given) inbox?.taken.add(id);
      if (given.length > 0) changed.fire(sessionId);
      return given;
    },
    release(sessionId, ids) {
      const inbox = inboxes.get(sessionId);
      for (const id of ids) inbox?.taken.delete(id);
      changed.fire(sessionId);
    },
    async settle(sessionId, ids) {
      await change(sessionId, (inbox) => {
        for (const id of ids) inbox.taken.delete(id);
        return inbox.messages.filter((each) => !ids.includes(each.id));
      });
    },
    removeSession: (sessionId) =>
      inOrder(async () => {
        if (!isSessionId(sessionId)) return;
        inboxes.delete(sessionId);
        changed.fire(sessionId);
        await fs.remove(fileOf(sessionId));
      }),
  };
}

/** Whether a message is still as it was said here: on disk it has no secrets. */
function isSame(stored: WaitingMessage, own: WaitingMessage, redact: (text: string) => string): boolean {
  return stored.id === own.id && stored.kind === own.kind && stored.text === redact(own.text);
}

/** A file that can't be read holds nothing; it is written anew with the next message. */
async function readStored(
  { fs, log, report }: InboxDeps,
  told: Set<string>,
  file: string,
): Promise<readonly WaitingMessage[]> {
  const tell = (why: string): void => {
    if (told.has(file)) return;
    told.add(file);
    log.write('warn', `${file}: ${why}`);
    report?.(unreadableState(file, 'What waited to be read in a session is lost', 'Say it again.'));
  };
  if ((await fs.stat(file)) === undefined) return [];
  try {
    const value = parseJson(await fs.readText(file));
    if (isRecord(value) && value['version'] === 1 && Array.isArray(value['messages']))
      return value['messages'].filter(isWaiting);
    tell('it is no list of waiting messages');
  } catch (error) {
    tell(errorMessage(error));
  }
  return [];
}

/** The waiting messages that a transcript holds: they are not read a second time. Pure. */
export function readInboxIds(entries: readonly SessionEntry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) => {
      if (entry.type !== 'message' || entry.message.role !== 'user') return [];
      return entry.message.inboxId === undefined ? [] : [entry.message.inboxId];
    }),
  );
}

function isWaiting(value: unknown): value is WaitingMessage {
  if (!isRecord(value)) return false;
  const { id, kind, text, createdAt, from } = value;
  return (
    typeof id === 'string' &&
    (kind === 'steer' || kind === 'followUp') &&
    typeof text === 'string' &&
    typeof createdAt === 'number' &&
    (from === undefined || from === 'agent')
  );
}

/** Messages that may wait in one session. */
const maxWaiting = 50;
const maxTextBytes = 32 * 1024;

/** In the order they will be read: what the user says to the running turn comes before what waits for its end. Pure. */
function inReadingOrder(messages: readonly WaitingMessage[]): readonly WaitingMessage[] {
  return [
    ...messages.filter(({ kind }) => kind === 'steer'),
    ...messages.filter(({ kind }) => kind === 'followUp'),
  ];
}

/** The list with a message changed; one that changes its kind goes to the end. Pure. @throws PincerError as `checkText` */
function editMessage(
  messages: readonly WaitingMessage[],
  id: string,
  { text, kind }: { readonly text?: string; readonly kind?: WaitingMessage['kind'] },
): readonly WaitingMessage[] {
  const old = messages.find((each) => each.id === id);
  if (old === undefined) return messages;
  // What the user has changed is theirs.
  const { from: _from, ...kept } = old;
  const edited = {
    ...kept,
    ...(text === undefined ? {} : { text: checkText(text) }),
    ...(kind === undefined ? {} : { kind }),
  };
  if (edited.kind === old.kind) return messages.map((each) => (each === old ? edited : each));
  return [...messages.filter((each) => each !== old), edited];
}

/** The list with a message in front of another one, or at the end. Pure. */
function moveMessage(
  messages: readonly WaitingMessage[],
  id: string,
  before: string | null,
): readonly WaitingMessage[] {
  const moved = messages.find((each) => each.id === id);
  if (moved === undefined || id === before) return messages;
  const rest = messages.filter((each) => each !== moved);
  const at = rest.findIndex((each) => each.id === before);
  return at === -1 ? [...rest, moved] : rest.toSpliced(at, 0, moved);
}

/** The text as it is stored. @throws PincerError `inbox_empty_text`, `inbox_text_too_long` */
function checkText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new PincerError('inbox_empty_text', 'The message is empty.', {
      hint: 'Type what you want to say.',
    });
  }
  if (new TextEncoder().encode(trimmed).length > maxTextBytes) {
    throw new PincerError('inbox_text_too_long', 'The message is longer than 32 KB.', {
      hint: 'Put the text into a file and name the file in the message.',
    });
  }
  return trimmed;
}

/** @throws PincerError `inbox_full` */
function checkRoom(messages: readonly WaitingMessage[]): void {
  if (messages.length < maxWaiting) return;
  throw new PincerError('inbox_full', `${String(maxWaiting)} messages wait already.`, {
    hint: 'Wait until some were read, or remove one.',
  });
}
