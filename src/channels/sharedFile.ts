import { errorMessage, PincerError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createInterprocessMutex } from '../host/createWriterLock.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';

/** A small file that several processes read and change. */
interface SharedFile<T> {
  /** As it is on disk now. @throws PincerError `io_*` */
  read(): Promise<T>;
  /** Changes it while no other process does; gives what `change` gives beside the new content. @throws PincerError `io_*`, `channel_state_locked` */
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

export function createSharedFile<T>(deps: SharedFileDeps<T>): SharedFile<T> {
  const { fs, file, empty, parse } = deps;
  const folder = `${file}.locks`;
  const exclusively = createInterprocessMutex({
    ...deps,
    folder,
    locked: (waitedMs) =>
      new PincerError(
        'channel_state_locked',
        `${deps.what} was not saved: another process has held the lock in ${folder} for more than ${String(waitedMs / 1_000)} seconds.`,
        { hint: 'Reload or close the other windows, and end other pincer processes. Then try again.' },
      ),
    notReleased: (error) =>
      deps.report({
        level: 'warn',
        code: 'channel_state_not_released',
        message: `The lock in ${folder} could not be released: ${errorMessage(error)}`,
        hint: 'Others can save there once this process has saved again, or has ended.',
        source: folder,
      }),
  });
  const read = async (): Promise<T> => {
    try {
      const value = parse(parseJson(await fs.readText(file, maxBytes)));
      if (value !== undefined) return value;
    } catch (error) {
      if (error instanceof PincerError && error.code === 'io_not_found') return empty;
      throw error;
    }
    deps.report(unreadableState(file, `${deps.what} can not be read`, 'Remove the file to start over.'));
    throw new PincerError('channel_state_unreadable', `${deps.what} can not be read: ${file}`, {
      hint: 'Remove the file to start over.',
    });
  };
  return {
    read,
    change: (change) =>
      exclusively(async () => {
        const { next, result } = change(await read());
        await fs.writeFile(file, `${JSON.stringify(next, undefined, 2)}\n`, 'private');
        return result;
      }),
  };
}
