import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GatewayPorts } from '../gatewayPorts.ts';
import { readBody, sendError, signalOf } from './exchange.ts';

type Ports = Pick<GatewayPorts, 'served'>;

/** `POST /mcp` (Model Context Protocol, Streamable HTTP), where the user's config serves tools to clients of other programs. */
export async function answerMcp(
  ports: Ports,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (ports.served() === undefined) {
    notServed(request, response);
    return;
  }
  const signal = signalOf(response);
  const body = await readBody(request);
  const { createRequestAnswerer } = await import('../../mcp/server/index.ts');
  const answer = createRequestAnswerer({
    tools: () => ports.served() ?? [],
    version: '1',
    // What is wrong with a request is told to who sent it.
    log: () => undefined,
  });
  const asked = new Request('http://127.0.0.1/mcp', { method: 'POST', headers: headersOf(request), signal });
  const { status, headers, body: stream } = await answer(asked, body);
  if (response.destroyed) return;
  response.writeHead(status, { ...Object.fromEntries(headers), 'cache-control': 'no-store' });
  if (stream === null) {
    response.end();
    return;
  }
  // A client that leaves is no failure of the answer.
  await pipeline(Readable.fromWeb(stream), response).catch(() => response.destroy());
}

/** There are no streams without a question, and no sessions to end. */
export function refuseMcpStream(ports: Ports, request: IncomingMessage, response: ServerResponse): void {
  if (ports.served() === undefined) notServed(request, response);
  else {
    request.resume();
    response.setHeader('allow', 'POST');
    sendError(response, 405, 'invalid_request_error', 'Ask by POST: each request is answered by itself.');
  }
}

function notServed(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  sendError(response, 404, 'not_found', 'Nothing is served here: mcp.serve.http in the user config is off.');
}

/** What the protocol reads; the token stays here. */
function headersOf({ headers }: IncomingMessage): Headers {
  const { authorization: _token, cookie: _cookie, ...rest } = headers;
  return new Headers(
    Object.entries(rest).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : value;
      return text === undefined ? [] : [[name, text] as [string, string]];
    }),
  );
}
