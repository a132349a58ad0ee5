import { createProcessOwner } from '../../host/processOwner.ts';
import { createWriterLock } from '../../host/createWriterLock.ts';
import type { EngineDeps } from './engineDeps.ts';
import type { EngineState } from './engineState.ts';
import { createIndexWork, type IndexWork, type IndexWorkParts } from './passes/createIndexWork.ts';
import { lockFailed } from './problems.ts';

/** Whether this engine is the one that keeps the index, and what it does then. */
export interface Writing {
  /** True where this one may write from now on; `onFailure` where nobody can tell. Never rejects. */
  takeLock(onFailure: boolean): Promise<boolean>;
  /** Begins to keep the index like the files; for who has the lock. */
  begin(): void;
  /** Undefined for one that reads. */
  work(): IndexWork | undefined;
  /** Stops and saves what was found out; the lock is still held. */
  stop(): Promise<void>;
  /** Gives the lock to the next who asks. @throws PincerError `io_*` */
  release(): Promise<void>;
}

export interface WritingParts extends Omit<IndexWorkParts, 'mayWrite' | 'state'> {
  readonly deps: EngineDeps;
  readonly state: () => EngineState;
  /** Another has taken its place, and this one has stopped to write. */
  readonly onReader: () => void;
}

export function createWriting(parts: WritingParts): Writing {
  const { deps, problems } = parts;
  const lock = createWriterLock({
    fs: deps.fs,
    clock: deps.clock,
    folder: deps.place.folder,
    owner: createProcessOwner(deps.startTimeOf, deps.ownPid),
    instance: deps.instance,
    hasEnded: (instance) => deps.endedInstances.includes(instance),
  });
  let work: IndexWork | undefined;

  const mayWrite = async (): Promise<boolean> => {
    const state = parts.state();
    const isOurs = await lock.tryAcquire();
    problems.set('lock', undefined);
    if (isOurs || state.role === 'reading') return isOurs;
    // Another window took this one for ended, as after a long sleep: one of both has to step back.
    state.role = 'reading';
    parts.onChange();
    const old = work;
    work = undefined;
    void old?.close().then(parts.onReader);
    return false;
  };

  return {
    async takeLock(onFailure) {
      try {
        return await lock.tryAcquire();
      } catch (error) {
        problems.set('lock', lockFailed(error));
        return onFailure;
      }
    },
    begin() {
      const state = parts.state();
      state.role = 'writing';
      work = createIndexWork({ ...parts, state, mayWrite });
      work.passes.schedule();
    },
    work: () => work,
    async stop() {
      await work?.close();
    },
    async release() {
      await lock.release();
    },
  };
}
