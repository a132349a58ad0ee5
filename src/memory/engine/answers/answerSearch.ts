import { raceAbort, throwIfAborted } from '../../../base/abort.ts';
import { settlesWithin } from '../../../host/settlesWithin.ts';
import type { MemoryAnswer, MemoryProgress, MemorySearchOptions } from '../../memory.ts';
import type { OpenEngine } from '../openEngine.ts';
import { searchIndex } from './searchIndex.ts';

/** A search looks at all files again where nobody tells of changes and the last look is older, in milliseconds. */
const staleMs = 10 * 60_000;

/** Answers from what is indexed now, and says what is not. @throws PincerError `cancelled`, `glob_invalid` */
export async function answerSearch(
  engine: OpenEngine,
  query: string,
  options: MemorySearchOptions,
  signal: AbortSignal,
): Promise<MemoryAnswer> {
  const { deps, state, embedding, roles, forgotten } = engine;
  const { clock } = deps;
  roles.follow();
  lookIfStale(engine);
  await waitForChanges(engine, options.waitMs ?? 0, signal);
  const began = clock.monotonic();
  const vector = await embedding.embedQuery(query, signal);
  throwIfAborted(signal);
  const hits = searchIndex({
    index: state.index,
    query,
    vector,
    options,
    config: state.settings.query,
    isForgotten: (path) => forgotten.has(path),
    now: clock.now(),
  });
  const indexing = whatIsMissing(engine);
  return {
    hits,
    mode: vector === undefined ? 'text' : 'hybrid',
    vector: embedding.state(),
    ...(indexing === undefined ? {} : { indexing }),
    tookMs: Math.round((clock.monotonic() - began) * 100) / 100,
  };
}

function lookIfStale({ deps, state, work }: OpenEngine): void {
  const working = work();
  if (working === undefined || working.passes.isRunning || state.isWatched) return;
  if (deps.clock.now() - state.lastTry > staleMs) working.passes.schedule();
}

/**
 * Changes of single files are read at once. A look at all files is waited for as well, but no longer than that: the first question
 * in a usual workspace is answered whole, and in a huge one soon.
 */
async function waitForChanges(
  { deps, work, knownLook }: OpenEngine,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const working = work();
  if (ms <= 0 || working === undefined) return;
  const { changes, passes } = working;
  const look = knownLook.running();
  if (look === undefined && changes.size === 0 && !passes.isRunning) return;
  const settle = async (): Promise<void> => {
    await look;
    await Promise.all([changes.flush(), passes.ended()]);
  };
  const upToDate = settle();
  await raceAbort(settlesWithin(upToDate, ms, deps.clock), signal);
}

/** A repeated look that has found nothing so far misses nothing that is known. */
function whatIsMissing({ state, progress, work }: OpenEngine): MemoryProgress | undefined {
  const now = progress.current();
  if (now?.phase === 'index') return now;
  const working = work();
  if (working !== undefined && state.lastSync === undefined) return now ?? { phase: 'scan', done: 0 };
  const changed = working?.changes.size ?? 0;
  return changed === 0 ? undefined : { phase: 'index', done: 0, total: changed };
}
