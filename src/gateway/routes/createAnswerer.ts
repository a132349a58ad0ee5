import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { servesPath, type PluginHttpRoute } from '../../plugins/resolveHttpRoutes.ts';
import { plainPath } from '../plainPath.ts';

/** Answers requests that the thread has let in. */
export interface Answerer {
  /** One connection, which brings one request. */
  connect(stream: Duplex, isKnown: boolean): void;
}

export interface AnswererParts {
  /** Routes of plugins as they are now, in the order in which they are asked. */
  readonly routes: () => readonly PluginHttpRoute[];
  /** Takes what plugins do wrong. */
  readonly report: (diagnostic: Diagnostic) => void;
}

/** An HTTP server that never listens: its connections are streams from the thread that owns the sockets. */
export function createAnswerer(parts: AnswererParts): Answerer {
  /** Connections of callers with the token. */
  const known = new WeakSet<object>();
  const server = createServer((request, response) => {
    void answer(parts, request, response, known.has(request.socket));
  });
  return {
    connect(stream, isKnown) {
      // A client that goes away is no error of this program.
      stream.on('error', () => undefined);
      // Plugins log where a request comes from.
      Object.defineProperty(stream, 'remoteAddress', { value: '127.0.0.1', enumerable: true });
      if (isKnown) known.add(stream);
      server.emit('connection', stream);
    },
  };
}

/** Never rejects. */
async function answer(
  { routes, report }: AnswererParts,
  request: IncomingMessage,
  response: ServerResponse,
  isKnown: boolean,
): Promise<void> {
  const path = plainPath(request.url ?? '');
  const asked = path === undefined ? [] : routes().filter((each) => servesPath(each, path));
  for (const route of asked) {
    // The thread has checked it, too; routes may have changed since.
    if (route.auth === 'gateway' && !isKnown) continue;
    try {
      if ((await route.handle(request, response)) || response.headersSent) return;
    } catch (error) {
      report(routeFailed(route, error));
      if (response.headersSent) response.destroy();
      else sendError(response, 500, 'plugin_error', `Plugin ${route.pluginId} failed to answer.`);
      return;
    }
  }
  request.resume();
  if (isKnown) sendError(response, 404, 'not_found', 'Nothing is served here.');
  else sendError(response, 401, 'unauthorized', 'The token is missing or wrong.');
}

function routeFailed({ pluginId, kind, path }: PluginHttpRoute, error: unknown): Diagnostic {
  const message = `${kind} "${path}" from ${pluginId} failed: ${errorMessage(error)}`;
  return { level: 'warn', code: 'plugin_route_failed', message, pluginId };
}

/** Ends a request with a problem, in the shape of all answers of the gateway. */
export function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { ok: false, error: { type, message } });
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(value));
}
