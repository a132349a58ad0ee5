import { PincerError } from '../../base/errors.ts';

/** Another attempt may help: the network, a limit, a server that falters, an answer that is none. `what` is a clause. */
export function embeddingFailed(who: string, what: string, hint = ''): PincerError {
  return new PincerError('embedding_failed', `${who} ${what}`, hint === '' ? {} : { hint });
}

/** It stays so until somebody changes the key, the model, the address or what is installed. */
export function embeddingRefused(who: string, what: string, hint: string): PincerError {
  return new PincerError('embedding_refused', `${who} ${what}`, { hint });
}

/** The sentence with what to do about it, for people. */
export function reasonOf(error: PincerError): string {
  const message = /[.!?…]$/u.test(error.message) ? error.message : `${error.message}.`;
  return error.hint === undefined ? message : `${message} ${error.hint}`;
}

/** True where waiting does not help. */
export function isRefused(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'embedding_refused';
}

/** True where the user or the end of the window stopped it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof PincerError && error.code === 'cancelled';
}
