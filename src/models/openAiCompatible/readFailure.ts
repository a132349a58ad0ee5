import type { PincerError } from '../../base/errors.ts';
import type { Clock, HttpResponse } from '../../host/ports.ts';
import type { ModelServer } from './modelServer.ts';
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
  let body = '';
  for await (const chunk of response.text) {
    body += chunk;
    if (body.length > maxBodyLength) break;
  }
  const answer = {
    status: response.status,
    body: body.slice(0, maxBodyLength),
    retryAfter: response.header('retry-after'),
    location: response.header('location'),
  };
  return { status: answer.status, body: answer.body, error: statusError(server, answer, clock.now()) };
}
