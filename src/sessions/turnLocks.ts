// Threat: two windows, or a window and the command line, write turns of one session at once. Each model reads half of what was
// said, and the transcript holds a mixture that nobody has said.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { raceAbort } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import { createWriterLock, type WriterLock } from '../host/createWriterLock.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';

/** One turn of a session at a time, whichever process runs it. */
export interface TurnLocks {
  /**
   * Waits while somebody has it, in this process or another, which `waits` is told once.
   * Where the disk takes no lock, nothing is held: what the turn has to say finds that out.
   * @returns what gives it back; never rejects
   * @throws PincerError `cancelled` where the signal aborts meanwhile
   */
  take(sessionId: string, signal: AbortSignal, waits: () => void): Promise<() => Promise<void>>;
  /** Whether another living process has it. Never rejects: what the disk does not tell counts as no. */
  isTakenElsewhere(sessionId: string): Promise<boolean>;
  /** The session is deleted. @throws PincerError `io_*` */
  remove(sessionId: string): Promise<void>;
}

interface TurnLocksInput {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  readonly owner: ProcessOwner;
  /** Absolute: `<state>/turns`, with a folder for each session. */
  readonly folder: string;
}

/** How often somebody who waits looks again. Milliseconds. */
const pollIntervalMs = 200;

export function createTurnLocks({ fs, clock, log, owner, folder }: TurnLocksInput): TurnLocks {
  /** Takers of this process that could not give a lock back. */
  const ended = new Set<string>();
  /** What is being given back; whoever comes next in this process waits for it. */
  const leaving = new Map<string, Promise<void>>();
  /** What the last lock of this process on a session was given back as. */
  const given = new Map<string, number>();
  const folderOf = (sessionId: string): string => join(folder, sessionId);

  const tryTake = async (sessionId: string, lock: WriterLock, hasWaited: boolean): Promise<boolean> => {
    try {
      return await lock.tryAcquire();
    } catch (error) {
      // Somebody had it a moment ago: that this look failed does not make it free.
      if (hasWaited) return false;
      log.write('warn', `That a turn of ${sessionId} runs could not be noted: ${errorMessage(error)}`);
      return true;
    }
  };
  const release = async (sessionId: string, lock: WriterLock, instance: string): Promise<void> => {
    try {
      const number = await lock.release();
      if (number === undefined) given.delete(sessionId);
      else given.set(sessionId, number);
    } catch (error) {
      ended.add(instance);
      log.write('warn', `The end of a turn of ${sessionId} could not be noted: ${errorMessage(error)}`);
    }
  };

  return {
    async take(sessionId, signal, waits) {
      await leaving.get(sessionId);
      const instance = randomUUID();
      const hasEnded = (other: string): boolean => ended.has(other);
      const after = given.get(sessionId);
      const lock = createWriterLock({
        fs,
        owner,
        clock,
        instance,
        hasEnded,
        after,
        folder: folderOf(sessionId),
      });
      let hasTold = false;
      while (!(await tryTake(sessionId, lock, hasTold))) {
        if (!hasTold) waits();
        hasTold = true;
        await raceAbort(new Promise<void>((resolve) => void clock.after(pollIntervalMs, resolve)), signal);
      }
      return () => {
        const left = release(sessionId, lock, instance);
        leaving.set(sessionId, left);
        return left.finally(() => {
          if (leaving.get(sessionId) === left) leaving.delete(sessionId);
        });
      };
    },
    async isTakenElsewhere(sessionId) {
      // As if whoever has it in this process had ended.
      const lock = createWriterLock({ fs, owner, clock, hasEnded: () => true, folder: folderOf(sessionId) });
      return await lock.isTaken().catch(() => false);
    },
    async remove(sessionId) {
      await leaving.get(sessionId);
      given.delete(sessionId);
      await fs.remove(folderOf(sessionId));
    },
  };
}
