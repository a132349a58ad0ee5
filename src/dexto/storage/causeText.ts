import { errorMessage } from '../../base/errors.ts';

/** What a driver's error says. A host with several addresses fails with one error for each: the first tells enough. */
export function causeText(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return errorMessage(first ?? error);
}
