import { PincerError } from '../../base/errors.ts';
import { answerSearch } from './answers/answerSearch.ts';
import { describeStatus } from './answers/describeStatus.ts';
import { describeFiles } from './answers/describeFiles.ts';
import type { EngineDeps } from './engineDeps.ts';
import { findFile } from './answers/findFile.ts';
import { forgetFile, rememberFile } from './answers/forgetFile.ts';
import type { MemoryEngine } from './memoryEngine.ts';
import { openEngine, type OpenEngine } from './openEngine.ts';
import { readSession } from './answers/readSession.ts';

/** The memory itself. Everything waits for the first `configure`, which opens the index. */
export function createMemoryEngine(deps: EngineDeps): MemoryEngine {
  let opening: Promise<OpenEngine> | undefined;
  let closing: Promise<void> | undefined;

  const opened = async (): Promise<OpenEngine> => {
    if (closing !== undefined || opening === undefined) throw notOpen();
    return await opening;
  };

  /** The same, and what another window had forgotten or remembered a moment ago holds here, too. */
  const followed = async (): Promise<OpenEngine> => {
    const engine = await opened();
    if (await engine.forgotten.refresh()) engine.work()?.passes.schedule();
    return engine;
  };

  const close = async (): Promise<void> => {
    await (await opening?.catch(() => undefined))?.close();
  };

  return {
    async configure(settings) {
      if (closing !== undefined) throw notOpen();
      if (opening !== undefined) await (await opening).reconfigure(settings);
      else await (opening = openEngine(deps, settings));
    },
    async search(query, options, signal) {
      const engine = await followed();
      try {
        return await answerSearch(engine, query, options, signal);
      } catch (error) {
        // What it was searching in has been closed meanwhile.
        throw closing === undefined ? error : notOpen();
      }
    },
    status: async () => describeStatus(await opened()),
    async files() {
      const { state, forgotten, work } = await followed();
      const isStale = (path: string): boolean => work()?.changes.has(path) ?? false;
      return describeFiles({ index: state.index, forgotten: forgotten.all(), isStale });
    },
    find: async (file) => await findFile(await followed(), file),
    readSession: async (label) => await readSession(await followed(), label),
    async sync({ rebuild = false }, signal) {
      const { state, work } = await opened();
      const working = work();
      if (working === undefined) throw keptElsewhere();
      // The look that comes with the start has seen everything, too.
      return await working.passes.request({ rebuild, joins: state.lastSync === undefined }, signal);
    },
    async cancel() {
      (await opened()).work()?.passes.cancel();
    },
    async changed(paths) {
      const { state, work } = await opened();
      state.isWatched = true;
      work()?.changes.add(paths);
    },
    async changedBroadly() {
      const { state, work } = await opened();
      state.isWatched = true;
      work()?.passes.schedule();
    },
    async turnBegins() {
      (await opened()).knownLook.begin();
    },
    forget: async (path) => await forgetFile(await opened(), path),
    remember: async (path) => await rememberFile(await opened(), path),
    close: () => (closing ??= close()),
  };
}

function notOpen(): PincerError {
  return new PincerError('memory_stopped', 'The memory is not open.', { hint: 'Search once more.' });
}

function keptElsewhere(): PincerError {
  return new PincerError('memory_kept_elsewhere', 'Another window keeps the index of this workspace.', {
    hint: 'It follows the files by itself; reindex there, or close that window.',
  });
}
