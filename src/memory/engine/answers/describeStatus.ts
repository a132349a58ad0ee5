import type { MemoryStatus } from '../../memory.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import { lastLookOf } from '../passes/lastLook.ts';
import type { OpenEngine } from '../openEngine.ts';

/** The last look of an earlier process that found something to read. */
function earlierSync({ store }: LiveIndex): Pick<MemoryStatus, 'lastSync'> {
  const look = lastLookOf(store);
  return look === undefined ? {} : { lastSync: look.to };
}

/** How the memory is now. */
export function describeStatus(engine: OpenEngine): MemoryStatus {
  const { state, embedding, problems, progress, work } = engine;
  const { index, lastSync, role } = state;
  const now = progress.current();
  const unread = now?.phase === 'index' ? (now.total ?? 0) - now.done : state.unread;
  return {
    isEnabled: true,
    files: index.files().size,
    passages: index.lexical.passages,
    bytes: index.store.bytes,
    indexPath: engine.indexPath,
    stale: unread + (work()?.changes.size ?? 0),
    role,
    generation: index.store.generation,
    vector: embedding.state(),
    problems: problems.all(),
    ...(lastSync === undefined ? earlierSync(index) : { lastSync: lastSync.at, lastSyncMs: lastSync.tookMs }),
    ...(now === undefined ? {} : { progress: now }),
  };
}
