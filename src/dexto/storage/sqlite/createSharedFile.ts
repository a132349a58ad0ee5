import { dirname } from 'node:path';
import type { Database, SqlJsStatic } from 'sql.js';
import { createSerialQueue } from '../../../base/createSerialQueue.ts';
import { errorMessage } from '../../../base/errors.ts';
import type { WriterLock } from '../../../host/createWriterLock.ts';
import type { Clock, FileSystem, Log } from '../../../host/ports.ts';
import { removeLeftovers } from '../../../host/removeLeftovers.ts';
import { storageBusy, storageClosed } from '../storageErrors.ts';
import {
  changesOf,
  countUp,
  createEmpty,
  generationOf,
  headerLength,
  maxFileBytes,
  openBytes,
  prepare,
  run,
} from './storageFile.ts';

/** A database file that several windows read and write, each with a copy in memory. */
interface SharedFile {
  isOpen(): boolean;
  /** With what the file says now. */
  read<T>(work: (database: Database) => T): Promise<T>;
  /** All of `work` or, where it throws, nothing of it. It is on disk once this resolves. */
  write<T>(work: (database: Database) => T): Promise<T>;
  /** After what was asked for before. */
  close(): Promise<void>;
}

interface SharedFileOptions {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  readonly sqlite: SqlJsStatic;
  readonly file: string;
  readonly lock: WriterLock;
  /** How long another window may keep the file to itself: milliseconds. */
  readonly limitMs: number;
}

/** Another window's writing takes some milliseconds. */
const retryDelayMs = 10;

interface Change {
  /** Gives what settles the caller once the file is written; throws where this change alone must not be. */
  readonly apply: (database: Database) => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Every writing happens under the lock, on what the file says then, so that no window takes back what another has written. What
 * is asked for while one goes on is written together with the next one.
 */
export function createSharedFile(options: SharedFileOptions): SharedFile {
  const { fs, clock, log, sqlite, file, lock, limitMs } = options;
  let opened: { readonly database: Database; readonly stamp: string } | undefined;
  let isClosed = false;
  let isTidy = false;
  let waiting: Change[] = [];

  const inTurn = createSerialQueue();
  const forget = (): void => {
    opened?.database.close();
    opened = undefined;
  };
  const lookAt = async (): Promise<string> => {
    const stat = await fs.stat(file);
    if (stat === undefined) return 'none';
    const generation = generationOf(await fs.readRange(file, 0, headerLength));
    return `${generation} ${stat.size} ${stat.mtimeMs}`;
  };
  const current = async (): Promise<Database> => {
    // Before the content: what is written in between is then read again next time.
    const stamp = await lookAt();
    if (opened?.stamp !== stamp) {
      forget();
      const database =
        stamp === 'none'
          ? createEmpty(sqlite)
          : openBytes(sqlite, file, await fs.readFile(file, maxFileBytes));
      opened = { database, stamp };
    }
    return opened.database;
  };
  const acquire = async (): Promise<void> => {
    const until = clock.monotonic() + limitMs;
    while (!(await lock.tryAcquire())) {
      if (clock.monotonic() >= until) throw storageBusy(file, limitMs);
      await new Promise<void>((resolve) => void clock.after(retryDelayMs, resolve));
    }
  };
  const tidyUp = async (): Promise<void> => {
    if (isTidy) return;
    isTidy = true;
    await removeLeftovers(fs, dirname(file), await fs.readDirectory(dirname(file)), clock);
  };
  const release = async (): Promise<void> => {
    try {
      await lock.release();
    } catch (error) {
      // What was written is written; the lock stays ours and is released with the next writing.
      log.write('warn', `${file}: its lock could not be released: ${errorMessage(error)}`);
    }
  };
  const save = async (database: Database): Promise<void> => {
    countUp(database);
    const content = database.export();
    prepare(database);
    if (!(await lock.isHeld())) throw storageBusy(file, limitMs);
    await fs.writeFile(file, content, 'private');
    opened = { database, stamp: await lookAt() };
  };
  const writeAll = async (changes: readonly Change[]): Promise<void> => {
    await acquire();
    try {
      await tidyUp();
      const database = await current();
      const before = changesOf(database);
      const applied = changes.flatMap((change) => applyOne(database, change));
      try {
        if (changesOf(database) !== before) await save(database);
      } catch (error) {
        forget();
        throw error;
      }
      for (const done of applied) done();
    } finally {
      await release();
    }
  };
  const drain = async (): Promise<void> => {
    const changes = waiting;
    waiting = [];
    if (changes.length === 0) return;
    try {
      await writeAll(changes);
    } catch (error) {
      for (const change of changes) change.fail(error);
    }
  };
  return {
    isOpen: () => opened !== undefined,
    async read(work) {
      if (isClosed) throw storageClosed();
      return await inTurn(async () => work(await current()));
    },
    async write<T>(work: (database: Database) => T) {
      if (isClosed) throw storageClosed();
      const result = new Promise<T>((resolve, reject) => {
        const apply = (database: Database) => {
          const value = work(database);
          return () => resolve(value);
        };
        waiting.push({ apply, fail: reject });
      });
      void inTurn(drain);
      return await result;
    },
    async close() {
      isClosed = true;
      await inTurn(() => {
        forget();
        return Promise.resolve();
      });
    },
  };
}

function applyOne(database: Database, { apply, fail }: Change): readonly (() => void)[] {
  run(database, 'SAVEPOINT change');
  try {
    return [apply(database)];
  } catch (error) {
    run(database, 'ROLLBACK TO change');
    fail(error);
    return [];
  } finally {
    run(database, 'RELEASE change');
  }
}
