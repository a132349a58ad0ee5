import type { PincerError } from '../../base/errors.ts';
import type { Clock, HttpResponse } from '../../host/ports.ts';
import type { ModelServer } from './modelErrors.ts';
import { readRetryAfter } from './readRetryAfter.ts';
import { statusError } from './statusError.ts';

/** Characters of an error page that are looked at. */
const maxBodyLength = 16_384;

export interface Failure {
  readonly status: number;
  readonly body: string;
  readonly error: PincerError;
}

/** Reads an answer that is no success, as far as it explains itself. */
export async function readFailure(
  response: HttpResponse,
  server: ModelServer,
  clock: Clock,
): Promise<Failure> {
  let text = '';
  for await (const chunk of response.text) {
    text += chunk;
    if (text.length > maxBodyLength) break;
  }
  const { status } = response;
  const body = text.slice(0, maxBodyLength);
  const header = (name: string): string | undefined => response.header(name);
  const error = statusError(server, {
    status,
    body,
    retryAfterMs: readRetryAfter({ header, body }, clock.now()),
    location: header('location'),
  });
  return { status, body, error };
}
