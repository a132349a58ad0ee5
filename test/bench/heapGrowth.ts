import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that `work` leaves on the heap, garbage that was not collected meanwhile included. `work` has to be warm. */
export function heapGrowth(work: () => void): number {
  const before = heapUse();
  work();
  return process.memoryUsage().heapUsed - before;
}

/** Bytes on the heap without garbage. */
export function heapUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
  return process.memoryUsage().heapUsed;
}
