import type { SyncReport } from '../../memory.ts';
import type { VectorSpace } from '../../store/rows.ts';
import type { Breather } from '../createBreather.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import type { EngineState } from '../engineState.ts';

export interface RebuildParts {
  readonly state: EngineState;
  readonly openFresh: () => Promise<LiveIndex>;
  readonly fill: (fresh: LiveIndex) => Promise<SyncReport>;
  /** Reads what changed meanwhile; false where nothing did. */
  readonly catchUp: (fresh: LiveIndex) => Promise<boolean>;
  /** Whose vectors are carried over. */
  readonly space: VectorSpace | undefined;
  readonly breather: Breather;
}

/** Fills a second index while the present one answers, then lets it take the place of that in one step. */
export async function rebuildIndex(parts: RebuildParts): Promise<SyncReport> {
  const { state, space } = parts;
  const fresh = await parts.openFresh();
  try {
    const report = await parts.fill(fresh);
    if (space !== undefined) await carryVectors(state.index, fresh, space, parts.breather);
    while (await parts.catchUp(fresh));
    const old = state.index;
    fresh.useVectors(space);
    state.index = fresh;
    old.close();
    return report;
  } finally {
    if (state.index !== fresh) fresh.close();
  }
}

/** Texts that stay the same need not be embedded again. */
async function carryVectors(
  from: LiveIndex,
  to: LiveIndex,
  space: VectorSpace,
  breather: Breather,
): Promise<void> {
  const passages: number[] = [];
  from.store.eachVector(space, (passage) => passages.push(passage));
  for (const passage of passages) {
    const hash = from.store.passage(passage)?.hash;
    const vector = hash === undefined ? undefined : from.store.cachedVector(space, hash);
    if (hash !== undefined && vector !== undefined) to.store.cacheVector(space, hash, vector);
    await breather.pause();
  }
}
