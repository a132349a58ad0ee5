import type { Clock } from '../../host/ports.ts';
import { settlesWithin } from '../../host/settlesWithin.ts';
import { storageTimedOut } from './storageErrors.ts';

/** Of one use of a server, connecting included: milliseconds. */
export const serverLimitMs = 5_000;

/** The result of `work`, or `storage_timeout`; then nobody waits for it any more. */
export async function withinLimit<T>(
  work: Promise<T>,
  { place, limitMs, clock }: { readonly place: string; readonly limitMs: number; readonly clock: Clock },
): Promise<T> {
  if (!(await settlesWithin(work, limitMs, clock))) throw storageTimedOut(place, limitMs);
  return await work;
}
