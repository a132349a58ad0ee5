import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PincerError } from '../../../src/base/errors.ts';
import type { FileSystem, Host } from '../../../src/host/ports.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { openConversation, type ConversationOptions } from './openConversation.ts';

/** A runtime that can be killed. */
export interface Life extends TestRuntime {
  /** After so many more writes nothing it does reaches the disk, as if its process was killed. Default: at once. */
  die(afterWrites?: number): void;
  isDead(): boolean;
  /** The same; resolves when nothing of it runs any more. */
  crash(): Promise<void>;
}

/** A folder in which one runtime lives after another. */
export interface Home extends AsyncDisposable {
  open(options?: ConversationOptions): Promise<Life>;
}

export async function openHome(): Promise<Home> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-home-')));
  let lives = 0;
  return {
    async open(options = {}) {
      let writesLeft = Infinity;
      const isDead = (): boolean => writesLeft <= 0;
      const pid = 4_000_000 + (lives += 1);
      const world = await openConversation({
        root,
        ...options,
        adjustHost: (host) => asProcess(pid, { ...host, fs: mortal(host.fs, () => (writesLeft -= 1) < 0) }),
      });
      const die = (afterWrites = 0): void => void (writesLeft = Math.min(writesLeft, afterWrites));
      return Object.assign(world, {
        die,
        isDead,
        async crash() {
          die();
          await world.runtime.stop('shutdown');
        },
      });
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

/** Each life is a process of its own, and the only one that lives. */
function asProcess(pid: number, host: Host): Host {
  const { processes } = host;
  const startTimeOf = async (asked: number): Promise<string | undefined> =>
    asked === pid ? await Promise.resolve('now') : undefined;
  return { ...host, processes: { ...processes, ownPid: pid, startTimeOf } };
}

const writing = [
  ...(['writeFile', 'createFile', 'append', 'appendDurably', 'remove', 'makeDirectory'] as const),
  ...(['stageExact', 'removeExact', 'removeEmptyExact'] as const),
];

/** A disk that takes a write only while `isTooLate`, asked before each, says no. */
function mortal(fs: FileSystem, isTooLate: () => boolean): FileSystem {
  const guarded = writing.map((name) => {
    const write = fs[name] as (...args: readonly unknown[]) => Promise<unknown>;
    return [
      name,
      async (...args: readonly unknown[]) => {
        if (isTooLate()) throw new PincerError('io_dead', 'This process is dead.');
        return await write(...args);
      },
    ];
  });
  return { ...fs, ...(Object.fromEntries(guarded) as Partial<FileSystem>) };
}
