import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { servesPath, type PluginHttpRoute } from '../../plugins/resolveHttpRoutes.ts';
import type { GatewayPorts } from '../gatewayPorts.ts';
import { answerChat } from '../openai/answerChat.ts';
import { answerResponses } from '../openai/answerResponses.ts';
import { pagePaths, pagePolicy, type PageServer } from '../pages.ts';
import { plainPath } from '../plainPath.ts';
import { answerToolCall } from './answerToolCall.ts';
import { failureOf, sendError, sendJson } from './exchange.ts';

/** Answers requests that the thread has let in. */
export interface Answerer {
  /** One connection, which brings one request. */
  connect(stream: Duplex, isKnown: boolean): void;
}

export interface AnswererParts {
  readonly ports: GatewayPorts;
  /** Routes of plugins as they are now, in the order in which they are asked. */
  readonly routes: () => readonly PluginHttpRoute[];
  /** What serves people; undefined where nothing does. */
  readonly pages: () => PageServer | undefined;
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

type OwnRoute = (
  ports: GatewayPorts,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void> | void;

/** The gateway's own addresses, by method and path; each wants the token. No plugin's route lies over them. */
const ownRoutes: Readonly<Record<string, OwnRoute>> = {
  'POST /tools/invoke': answerToolCall,
  'POST /v1/chat/completions': answerChat,
  'POST /v1/responses': answerResponses,
  'GET /v1/models': (ports, _, response) => sendJson(response, 200, listModels(ports)),
};

function listModels(ports: GatewayPorts): object {
  const ids = [...ports.agents().map((id) => `openclaw:${id}`), ...ports.models()];
  const data = ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'pincer' }));
  return { object: 'list', data };
}

/** Never rejects. */
async function answer(
  { ports, routes, pages, report }: AnswererParts,
  request: IncomingMessage,
  response: ServerResponse,
  isKnown: boolean,
): Promise<void> {
  const path = plainPath(request.url ?? '');
  const key = `${request.method ?? ''} ${path ?? ''}`;
  const own = Object.hasOwn(ownRoutes, key) ? ownRoutes[key] : undefined;
  if (own !== undefined && isKnown) {
    try {
      await own(ports, request, response);
    } catch (error) {
      const { status, type, code, message } = failureOf(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, status, { ok: false, error: { type, code, message } });
    }
    return;
  }
  if (request.method === 'GET' && pagePaths.some((each) => each === path)) {
    const file = await pages()?.file(path ?? '');
    if (file !== undefined) {
      response.writeHead(200, {
        'content-type': file.type,
        'content-security-policy': pagePolicy,
        'cache-control': 'no-store',
      });
      response.end(file.body);
      return;
    }
  }
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
