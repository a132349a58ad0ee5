import { createSerialQueue } from '../base/createSerialQueue.ts';
import { PincerError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createWriterLock } from '../host/createWriterLock.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';

/** A small file that several processes read and change. */
export interface SharedFile<T> {
  /** As it is on disk now. @throws PincerError `io_*` */
  read(): Promise<T>;
  /** Changes it while no other process does; gives what `change` gives beside the new content. @throws PincerError `io_*` */
  change<R>(change: (now: T) => { readonly next: T; readonly result: R }): Promise<R>;
}

export interface SharedFileDeps<T> {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly owner: ProcessOwner;
  /** Absolute path. */
  readonly file: string;
  readonly empty: T;
  /** Undefined for what can't be read: it counts as empty, and is told. */
  readonly parse: (value: unknown) => T | undefined;
  readonly what: string;
  readonly report: (diagnostic: Diagnostic) => void;
}

const maxBytes = 2_000_000;
const lookMs = 25;

export function createSharedFile<T>(deps: SharedFileDeps<T>): SharedFile<T> {
  const { fs, clock, file, empty, parse } = deps;
  const lock = createWriterLock({ ...deps, folder: `${file}.locks` });
  const inTurn = createSerialQueue();
  const read = async (): Promise<T> => {
    try {
      const value = parse(parseJson(await fs.readText(file, maxBytes)));
      if (value !== undefined) return value;
    } catch (error) {
      if (error instanceof PincerError && error.code === 'io_not_found') return empty;
      throw error;
    }
    deps.report(unreadableState(file, `${deps.what} can not be read`, 'Remove the file to begin anew.'));
    throw new PincerError('channel_state_unreadable', `${deps.what} can not be read: ${file}`, {
      hint: 'Remove the file to begin anew.',
    });
  };
  const acquire = async (): Promise<void> => {
    while (!(await lock.tryAcquire()))
      await new Promise<void>((resolve) => void clock.after(lookMs, resolve));
  };
  return {
    read,
    change: (change) =>
      inTurn(async () => {
        await acquire();
        try {
          const { next, result } = change(await read());
          await fs.writeFile(file, `${JSON.stringify(next, undefined, 2)}\n`, 'private');
          return result;
        } finally {
          await lock.release();
        }
      }),
  };
}
