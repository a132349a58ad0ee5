// Threat: after `/new` the next message takes the old conversation along, since the panel no longer shows that there was a `/new`. It
// stores a request and its answer a moment after they came, drops what an answer says of itself where a stop takes long, and names no
// session for what was cut off. So where each chat stands is written down here, before anything is answered.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { ProcessOwner } from '../../host/processOwner.ts';

/** The session that a chat belongs to. One in which nothing was said yet has no transcript: then its agent and its key count. */
export interface ChatPlace {
  readonly sessionId: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
}

/** What the panel shows of a chat. */
export interface ShownChat {
  /** Every request, oldest first: `/` with the command, if any, and what was said. */
  readonly requests: readonly string[];
  /** How many of them, from the first, stand up to the newest answer that names a session. */
  readonly answered: number;
  readonly named?: string | undefined;
}

interface ChatStep {
  /** The requests of the chat, the one that came now the last. */
  readonly requests: readonly string[];
  /** The session that the chat belonged to before. */
  readonly from: string | undefined;
  readonly place: Required<ChatPlace>;
  /** True where a turn begins that `ended` will end. */
  readonly isTurn: boolean;
}

/**
 * Remembers where each chat stands, beside the transcripts. VS Code's own `Memento` is no help: it, too, is written a moment later.
 */
export interface ChatMemory {
  /** A request came, and the chat belongs to this session now. On disk when this resolves, or the problem is reported. */
  note(step: ChatStep): Promise<void>;
  /** The turn of this session has ended, and with it what an earlier host process may have left open of it. */
  ended(sessionId: string): Promise<void>;
  /**
   * The session that a chat belongs to. A chat that an earlier host process answered may show less than there was, and stands where it
   * stood at last; one of this process that shows less was cut by the user, and stands where it stood then.
   */
  placeOf(shown: ShownChat): Promise<ChatPlace | undefined>;
  /** The session of the newest turn that an earlier host process has left open. */
  interrupted(): Promise<ChatPlace | undefined>;
  /** Whether another process that lives has a turn open. */
  runsElsewhere(): Promise<boolean>;
  /** The user does not want to go on with its turn. */
  forget(sessionId: string): Promise<void>;
  /** This host ends: what is open is left to the next one, which need not wait for the process to be gone. On disk when it returns. */
  leave(): void;
}

/** A request of a chat, by `hashes`: the words themselves are kept nowhere. */
interface Step {
  readonly hash: string;
  /** Where the chat stood after it; absent where that is not known. */
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly sessionKey?: string;
}

interface ChatRecord {
  readonly id: string;
  /** How many requests came before the first of `steps`: only the newest ones are kept. */
  readonly before: number;
  readonly steps: readonly Step[];
  /** When the newest request came. Milliseconds since 1970. */
  readonly at: number;
  /** True while its turn runs. */
  readonly isOpen: boolean;
  /** The process that answers (`ProcessOwner`); absent where its host has ended. */
  readonly owner?: string;
}

/** How many requests of one chat are kept: a reload loses the last ones. */
const maxSteps = 40;
const maxChats = 200;

/** Each chat of each process has a file of its own in `folder`, so that windows of one workspace take nothing from each other. */
export function createChatMemory(
  folder: string,
  owner: ProcessOwner,
  report: (problem: string) => void,
  now: () => number = Date.now,
): ChatMemory {
  let own: readonly ChatRecord[] = [];

  const keep = (record: ChatRecord): void => {
    const isNew = !own.some(({ id }) => id === record.id);
    own = [...own.filter(({ id }) => id !== record.id), record].slice(-maxChats);
    write(folder, record, report);
    if (isNew) removeOldest(folder, report);
  };
  const earlier = async (): Promise<readonly ChatRecord[]> => {
    const ours = new Set(own.map(({ id }) => id));
    return (await readRecords(folder, report)).filter(({ id }) => !ours.has(id));
  };
  /** Turns that are open: those that an earlier process has left, or those that another one which lives runs. */
  const openTurns = async (state: 'left' | 'running'): Promise<readonly ChatRecord[]> => {
    const open = (await earlier()).filter(({ isOpen }) => isOpen);
    const isRunning = await Promise.all(open.map((record) => isOfOther(record, owner)));
    return open.filter((_, at) => isRunning[at] === (state === 'running'));
  };

  const forget = async (sessionId: string): Promise<void> => {
    for (const record of await openTurns('left'))
      if (placeIn(record.steps)?.sessionId === sessionId) write(folder, { ...record, isOpen: false }, report);
  };

  return {
    async note({ requests, from, place, isTurn }) {
      const ownId = await owner.id();
      const all = hashes(requests);
      const steps = [...stepsBefore(own, all.slice(0, -1), from), { hash: all.at(-1) ?? '', ...place }];
      const continued = own.findLast((record) => isPart(record, steps));
      keep({
        id: continued?.id ?? randomUUID(),
        before: Math.max(0, steps.length - maxSteps),
        steps: steps.slice(-maxSteps),
        at: now(),
        isOpen: isTurn,
        owner: ownId,
      });
    },
    async ended(sessionId) {
      for (const record of own)
        if (record.isOpen && record.steps.at(-1)?.sessionId === sessionId) keep({ ...record, isOpen: false });
      await forget(sessionId);
    },
    async placeOf(shown) {
      const { requests, answered, named } = shown;
      // Most messages go on with a chat of this process: for them the disk is not read.
      const isWhole = answered === requests.length;
      const here = isWhole ? find(shown, own, []) : undefined;
      return (
        here ?? find(shown, own, await earlier()) ?? (named === undefined ? undefined : { sessionId: named })
      );
    },
    interrupted: async () => placeIn((await openTurns('left')).at(-1)?.steps ?? []),
    runsElsewhere: async () => (await openTurns('running')).length > 0,
    forget,
    leave() {
      for (const { owner: _owner, ...record } of own) if (record.isOpen) keep(record);
    },
  };
}

/** Each request with all before it, as one short text. Pure. */
export function hashes(requests: readonly string[]): readonly string[] {
  let last = '';
  return requests.map((request) => {
    last = createHash('sha256')
      .update(`${last}\n${JSON.stringify(request)}`)
      .digest('hex')
      .slice(0, 24);
    return last;
  });
}

/** The step of a chat after so many requests; undefined where the chat has fewer, or it is kept no more. */
function stepAt({ before, steps }: ChatRecord, count: number): Step | undefined {
  return count > before ? steps[count - before - 1] : undefined;
}

/** The newest place that is known. */
function placeIn(steps: readonly Step[]): ChatPlace | undefined {
  const step = steps.findLast(({ sessionId }) => sessionId !== undefined);
  if (step?.sessionId === undefined) return undefined;
  const { sessionId, agentId, sessionKey } = step;
  return {
    sessionId,
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
  };
}

/** What is known of the requests before a new one. */
function stepsBefore(
  own: readonly ChatRecord[],
  before: readonly string[],
  from: string | undefined,
): readonly Step[] {
  const last = before.length;
  const same = own.filter((record) => stepAt(record, last)?.hash === before.at(-1));
  const known = same.findLast((record) => stepAt(record, last)?.sessionId === from) ?? same.at(-1);
  return before.map((hash, at) => {
    const step = known === undefined ? undefined : stepAt(known, at + 1);
    if (step?.hash === hash) return step;
    return at === last - 1 && from !== undefined ? { hash, sessionId: from } : { hash };
  });
}

/** True where a chat goes on with these steps, or its newest request is said to have led elsewhere: no other chat, and no fork of it. */
function isPart(record: ChatRecord, steps: readonly Step[]): boolean {
  const count = record.before + record.steps.length;
  if (count !== steps.length && count !== steps.length - 1) return false;
  const [mine, theirs] = [stepAt(record, count), steps[count - 1]];
  if (mine?.hash !== theirs?.hash) return false;
  // Another chat may have begun with the same words.
  return count > 1 || (count === steps.length ? record.isOpen : mine?.sessionId === theirs?.sessionId);
}

/** Where a chat stands, by the first of its newest requests that is known. Pure. */
function find(
  shown: ShownChat,
  own: readonly ChatRecord[],
  earlier: readonly ChatRecord[],
): ChatPlace | undefined {
  const all = hashes(shown.requests);
  for (let count = all.length; count >= Math.max(1, shown.answered); count -= 1) {
    const isSame = (record: ChatRecord): boolean =>
      stepAt(record, count)?.hash === all[count - 1] && mayBe(record, shown);
    const ours = own.filter(isSame).map((record) => placeIn([stepAt(record, count) ?? { hash: '' }]));
    const found = ours.findLast((place) => place !== undefined);
    if (found !== undefined) return found;
    const theirs = earlier.filter(isSame);
    const open = shown.named === undefined ? theirs.findLast(({ isOpen }) => isOpen) : undefined;
    const newest = open ?? theirs.at(-1);
    if (newest !== undefined) return placeIn(newest.steps);
  }
  return undefined;
}

/** Chats with the same words differ in the session that the panel names. */
function mayBe(record: ChatRecord, { answered, named }: ShownChat): boolean {
  const known = answered === 0 ? undefined : stepAt(record, answered)?.sessionId;
  return named === undefined || known === undefined || known === named;
}

/** Synchronous, some kilobytes: it must be on disk when the window goes away in the next moment, and whole whenever that is. */
function write(folder: string, record: ChatRecord, report: (problem: string) => void): void {
  const file = join(folder, `${record.id}.json`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.tmp`, JSON.stringify(record));
    renameSync(`${file}.tmp`, file);
  } catch (error) {
    report(`${file}: ${errorMessage(error)}`);
  }
}

function removeOldest(folder: string, report: (problem: string) => void): void {
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    if (files.length <= maxChats) return;
    const byAge = files
      .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => a.at - b.at);
    for (const { file } of byAge.slice(0, files.length - maxChats)) rmSync(file, { force: true });
  } catch (error) {
    report(`${folder}: ${errorMessage(error)}`);
  }
}

/** True where another window that lives runs it. */
async function isOfOther(record: ChatRecord, owner: ProcessOwner): Promise<boolean> {
  if (record.owner === undefined || record.owner === (await owner.id())) return false;
  return await owner.isAlive(record.owner);
}

/** Oldest first. One that can't be read is reported, and the others count. */
async function readRecords(
  folder: string,
  report: (problem: string) => void,
): Promise<readonly ChatRecord[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (!isMissing(error)) report(`${folder}: ${errorMessage(error)}`);
    return [];
  });
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const records = await Promise.all(files.map((file) => readRecord(file, report)));
  return records.filter((record) => record !== undefined).sort((a, b) => a.at - b.at);
}

async function readRecord(file: string, report: (problem: string) => void): Promise<ChatRecord | undefined> {
  try {
    const value = parseJson(await readFile(file, 'utf8'));
    if (isChatRecord(value)) return value;
    report(`${file}: it is damaged, and where its chat stood is not known.`);
  } catch (error) {
    if (!isMissing(error)) report(`${file}: ${errorMessage(error)}`);
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isChatRecord(value: unknown): value is ChatRecord {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['before'] === 'number' &&
    typeof value['at'] === 'number' &&
    typeof value['isOpen'] === 'boolean' &&
    (value['owner'] === undefined || typeof value['owner'] === 'string') &&
    Array.isArray(value['steps']) &&
    value['steps'].every(isStep)
  );
}

function isStep(value: unknown): value is Step {
  const isText = (key: string): boolean =>
    isRecord(value) && (value[key] === undefined || typeof value[key] === 'string');
  return (
    isRecord(value) &&
    typeof value['hash'] === 'string' &&
    ['sessionId', 'agentId', 'sessionKey'].every(isText)
  );
}
