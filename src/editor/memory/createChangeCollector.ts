import type { Disposable } from '../../base/disposable.ts';
import { createTimer } from '../../base/createTimer.ts';

interface ChangeTarget {
  changed(paths: readonly string[]): void;
  changedBroadly(): void;
}

/** Gathers changes of files and passes them on in one go. */
interface ChangeCollector extends Disposable {
  add(path: string): void;
  /** More may have changed than anybody told of. */
  addAll(): void;
}

/** Changes that come together count as one. Milliseconds. */
const debounceMs = 50;
/** From here on it is a checkout or the like: one full sync costs less than so many single files. The same bound as the index's. */
const manyPaths = 100;

/** A file that is saved makes several events, a checkout thousands: each burst becomes one message. */
export function createChangeCollector(target: ChangeTarget): ChangeCollector {
  const paths = new Set<string>();
  let isBroad = false;
  const timer = createTimer(debounceMs, () => {
    if (isBroad) target.changedBroadly();
    else target.changed([...paths]);
    paths.clear();
    isBroad = false;
  });
  return {
    add(path) {
      if (paths.size >= manyPaths - 1 && !paths.has(path)) isBroad = true;
      else paths.add(path);
      timer.start();
    },
    addAll() {
      isBroad = true;
      timer.start();
    },
    dispose: timer.stop,
  };
}
