import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers requests that the thread has let in. */
export interface Answerer {
  /** One connection, which brings one request. */
  connect(stream: Duplex, isKnown: boolean): void;
}

/** An HTTP server that never listens: its connections are streams from the thread that owns the sockets. */
export function createAnswerer(): Answerer {
  const server = createServer((request, response) => answer(request, response));
  return {
    connect: (stream) => void server.emit('connection', stream),
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  sendError(response, 404, 'not_found', 'Nothing is served here.');
}

/** Ends a request with a problem, in the shape of all answers of the gateway. */
export function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { ok: false, error: { type, message } });
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(body);
}
