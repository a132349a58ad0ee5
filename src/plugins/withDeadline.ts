import { PincerError } from '../base/errors.ts';
import type { Clock } from '../host/ports.ts';
import { settlesWithin } from '../host/settlesWithin.ts';

/**
 * Settles with `work`, or rejects with `plugin_timed_out` after `ms`. The work itself can't be stopped; what it does later
 * is ignored.
 */
export async function withDeadline<T>(work: PromiseLike<T>, ms: number, clock: Clock): Promise<T> {
  if (await settlesWithin(work, ms, clock)) return await work;
  throw new PincerError('plugin_timed_out', `timed out after ${ms}ms`);
}
