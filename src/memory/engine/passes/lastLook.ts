import type { SyncTimes } from '../../files/planSync.ts';
import type { MemoryStore } from '../../store/openStore.ts';

type LastLook = NonNullable<SyncTimes['lastLook']>;

/** When the files were last looked at with something to read; undefined for an index that is new. */
export function lastLookOf(store: MemoryStore): LastLook | undefined {
  const said = store.meta('lastLook');
  return said === undefined ? undefined : (JSON.parse(said) as LastLook);
}

/** Milliseconds since the epoch. */
export function keepLastLook(store: MemoryStore, look: LastLook): void {
  store.setMeta('lastLook', JSON.stringify(look));
}
