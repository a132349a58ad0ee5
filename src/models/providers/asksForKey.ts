import { PincerError } from '../../base/errors.ts';

/** True where a server answered that it wants a key, or another one. */
export function asksForKey(error: unknown): boolean {
  return (
    error instanceof PincerError && (error.code === 'model_no_key' || error.code === 'model_unauthorized')
  );
}
