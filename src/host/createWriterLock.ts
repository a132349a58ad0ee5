import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { raceAbort } from '../base/abort.ts';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { PincerError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { Clock, FileSystem } from './ports.ts';
import type { ProcessOwner } from './processOwner.ts';
import { removeLeftovers } from './removeLeftovers.ts';
import { ifMissing } from './ifMissing.ts';

/** The right to write what lies in a folder, such as the memory's index: one has it, over all processes and all runtimes within each. */
export interface WriterLock {
  /** Takes it where nobody has it who still lives. True where it is held now. One call at a time. */
  tryAcquire(): Promise<boolean>;
  /** Whether somebody else has it who still lives. */
  isTaken(): Promise<boolean>;
  /** Whether it still is: ask before each save. Who has lost it must not write any more, and may read. */
  isHeld(): Promise<boolean>;
  /** Gives it to the next who asks; without it nothing happens. Gives what `after` takes, where it was held. */
  release(): Promise<number | undefined>;
}

export interface WriterLockDeps {
  readonly fs: Pick<
    FileSystem,
    'createFile' | 'writeFile' | 'readText' | 'readDirectory' | 'lstat' | 'remove'
  >;
  readonly owner: ProcessOwner;
  /** Where its files go; it is made where it is missing. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  /** Names this runtime or thread among those of its process. Default: a random name. */
  readonly instance?: string;
  /** Whether an instance of this very process has ended without a release, such as a thread that crashed. Default: none has. */
  readonly hasEnded?: (instance: string) => boolean;
  /** What the last release in this folder gave: where nobody has had it since, it is taken without a look at who has it. */
  readonly after?: number | undefined;
}

/** What a lock's file says. */
interface Holder {
  /** Undefined after a release. */
  readonly owner?: string;
  readonly instance?: string;
}

/** How often the lock is tried again, and for how long: far longer than a small file takes to be written. Milliseconds. */
const retryMs = 25;
const maxWaitMs = 10_000;

interface InterprocessMutexDeps extends Omit<WriterLockDeps, 'clock'> {
  readonly clock: Pick<Clock, 'monotonic' | 'now' | 'after'>;
  /** What is thrown where another process has had the lock for `waitedMs`. */
  readonly locked: (waitedMs: number) => PincerError;
  /** A lock that could not be released: other processes wait in vain until this one takes it again, or ends. */
  readonly notReleased: (error: unknown) => void;
}

/**
 * Runs one piece of work at a time, over all processes that name the same folder. What becomes of the work stands, whether the lock could
 * be released or not.
 */
export function createInterprocessMutex(
  deps: InterprocessMutexDeps,
): <T>(work: () => Promise<T>) => Promise<T> {
  const lock = createWriterLock(deps);
  const inTurn = createSerialQueue();
  const wait = { clock: deps.clock, retryMs, maxWaitMs, locked: () => deps.locked(maxWaitMs) };
  return (work) =>
    inTurn(async () => {
      await waitForLock(lock, wait);
      try {
        return await work();
      } finally {
        await lock.release().catch(deps.notReleased);
      }
    });
}

export interface LockWait {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** How often the lock is tried, and for how long. Milliseconds. */
  readonly retryMs: number;
  readonly maxWaitMs: number;
  /** What is thrown after that. */
  readonly locked: () => PincerError;
  /** Called once, where somebody else has it. */
  readonly waits?: () => void;
  readonly signal?: AbortSignal;
}

/** Takes a lock as soon as nobody else has it. @throws what `locked` gives; PincerError `cancelled` */
export async function waitForLock(
  lock: Pick<WriterLock, 'tryAcquire'>,
  { clock, retryMs, maxWaitMs, locked, waits, signal = new AbortController().signal }: LockWait,
): Promise<void> {
  const until = clock.monotonic() + maxWaitMs;
  for (let isFirst = true; !(await lock.tryAcquire()); isFirst = false) {
    if (isFirst) waits?.();
    if (clock.monotonic() >= until) throw locked();
    await raceAbort(new Promise<void>((resolve) => void clock.after(retryMs, resolve)), signal);
  }
}

// Far from the numbers that can't be counted on any more: a file with such a name is none of ours.
const lockName = /^writer-(\d{1,12})\.lock$/u;
const maxLockBytes = 10_000;
/** Some systems need a moment to say whether a process lives. */
const trustMs = 5_000;

/**
 * The holder is who made the file with the highest number, unless he has ended or released it. To take it over one makes the
 * next number, which can be made once: of all who see the same holder dead, one wins. The highest file is never removed, so the
 * numbers only grow; who was so slow that his number is not the highest any more has not won.
 */
export function createWriterLock(deps: WriterLockDeps): WriterLock {
  const { fs, owner, folder, clock, instance = randomUUID(), hasEnded = () => false, after } = deps;
  let held: number | undefined;
  let alive: { readonly owner: string; readonly until: number } | undefined;
  const fileOf = (number: number): string => join(folder, `writer-${number}.lock`);

  const list = (): Promise<FolderEntries> => listFolder(fs, folder);
  const isOwnerAlive = async (id: string): Promise<boolean> => {
    if (alive?.owner === id && clock.monotonic() < alive.until) return true;
    const isAlive = await owner.isAlive(id);
    alive = isAlive ? { owner: id, until: clock.monotonic() + trustMs } : undefined;
    return isAlive;
  };
  const isTakenBy = async ({ owner: id, instance: name }: Holder): Promise<boolean> => {
    if (id === undefined || name === undefined) return false;
    if (id === (await owner.id())) return name !== instance && !hasEnded(name);
    return await isOwnerAlive(id);
  };
  const isTaken = async (last: number): Promise<boolean> =>
    last > 0 && (await isTakenBy(await readHolder(fs, fileOf(last))));
  const write = async (number: number): Promise<boolean> => {
    const holder: Holder = { owner: await owner.id(), instance };
    return await fs.createFile(fileOf(number), JSON.stringify(holder), 'private');
  };
  /** Whoever makes a number that is the highest then has it: it can be made once, and none below it counts any more. */
  const take = async (number: number): Promise<boolean> => {
    if (!(await write(number))) return false;
    const listed = await list();
    if (highest(numbersOf(listed)) !== number) return false;
    held = number;
    await removeLeftovers(fs, folder, listed, clock);
    return true;
  };
  const removeBelow = async (number: number, found: readonly number[]): Promise<void> => {
    for (const each of found) if (each < number) await fs.remove(fileOf(each));
  };
  const isOwn = async (number: number, found: readonly number[]): Promise<boolean> => {
    if (highest(found) !== number) return false;
    const holder = await readHolder(fs, fileOf(number));
    return holder.instance === instance && holder.owner === (await owner.id());
  };
  const isHeld = async (): Promise<boolean> => {
    if (held !== undefined && !(await isOwn(held, numbersOf(await list())))) held = undefined;
    return held !== undefined;
  };
  return {
    isHeld,
    isTaken: async () => await isTaken(highest(numbersOf(await list()))),
    async tryAcquire() {
      if (await isHeld()) return true;
      if (after !== undefined && (await take(after + 1))) return true;
      const found = numbersOf(await list());
      const last = highest(found);
      if (await isTaken(last)) return false;
      await removeBelow(last, found);
      return await take(last + 1);
    },
    async release() {
      if (held === undefined) return undefined;
      const found = numbersOf(await list());
      if (!(await isOwn(held, found))) {
        held = undefined;
        return undefined;
      }
      await removeBelow(held, found);
      const number = held;
      await fs.writeFile(fileOf(number), JSON.stringify({} satisfies Holder), 'private');
      held = undefined;
      return number;
    },
  };
}

type FolderEntries = Awaited<ReturnType<FileSystem['readDirectory']>>;

/** Nothing, where the folder is not there. */
async function listFolder(fs: Pick<FileSystem, 'readDirectory'>, folder: string): Promise<FolderEntries> {
  return await fs.readDirectory(folder).catch(ifMissing([]));
}

function numbersOf(entries: FolderEntries): readonly number[] {
  return entries.flatMap(({ name }) => {
    const number = lockName.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

function highest(numbers: readonly number[]): number {
  return Math.max(0, ...numbers);
}

const noLock: ReadonlySet<string> = new Set(['io_not_found', 'io_not_a_file', 'io_too_large']);

/** Nobody, where the file is gone or says nothing that we wrote. */
async function readHolder(fs: Pick<FileSystem, 'readText'>, file: string): Promise<Holder> {
  try {
    const said = parseJson(await fs.readText(file, maxLockBytes));
    const { owner, instance } = isRecord(said) ? said : {};
    return typeof owner === 'string' && typeof instance === 'string' ? { owner, instance } : {};
  } catch (error) {
    if (error instanceof PincerError && noLock.has(error.code)) return {};
    throw error;
  }
}
