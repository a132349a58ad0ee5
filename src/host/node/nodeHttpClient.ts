import { cancelledError } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../ports.ts';

/** HTTP by the runtime's own `fetch`. Redirects are answers here: whoever follows one must judge its target first. */
export function createNodeHttpClient(): HttpClient {
  return { send };
}

async function send(request: HttpRequest): Promise<HttpResponse> {
  let response: Response;
  try {
    response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      signal: request.signal,
    });
  } catch (error) {
    throw failure(request, error);
  }
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    text: decode(request, response),
  };
}

async function* decode(request: HttpRequest, response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw failure(request, error);
  }
  yield decoder.decode();
}

/** With several addresses for one name the cause is an aggregate whose own message is empty. */
function reasonOf(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return errorMessage(first);
}

function failure(request: HttpRequest, error: unknown): PincerError {
  if (request.signal.aborted) return cancelledError();
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return new PincerError('http_failed', `No answer from ${new URL(request.url).origin}: ${reasonOf(cause)}`, {
    cause: error,
  });
}
