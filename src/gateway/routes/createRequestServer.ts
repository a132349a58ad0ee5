import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import { servesPath, type PluginHttpRoute } from '../../plugins/resolveHttpRoutes.ts';
import { modelUnknown } from '../gatewayErrors.ts';
import type { GatewayPorts, ToolInvocation, ToolOutcome } from '../gatewayPorts.ts';
import { answerChat } from '../openai/answerChat.ts';
import { answerResponses } from '../openai/answerResponses.ts';
import { agentIn } from '../openai/generate.ts';
import { refuseSocket } from '../refuseSocket.ts';
import { mcpPath, namedModel, ownAddressOf, type OwnAddress } from '../gatewayProtocol.ts';
import type { Caller, TunnelStream } from '../tunnels.ts';
import { pagePaths, pagePolicy, type PageServer, type PairedBrowsers } from '../pages.ts';
import { plainPath } from '../plainPath.ts';
import { failureOf, readBody, sendError, sendJson, signalOf, invalidRequest } from './exchange.ts';
import { pipeline } from 'node:stream/promises';
import { createHash, randomUUID } from 'node:crypto';
import { isRecord } from '../../base/json.ts';

/** Answers requests that the thread has let in. */
interface RequestServer {
  /** One connection, which brings one request after the other, all of this caller. */
  connect(stream: TunnelStream, caller: Caller): void;
  /** Routes have changed: connections that the ones before had taken over end. */
  sync(): void;
  /** Resolves once no request is under way. */
  idle(): Promise<void>;
}

interface RequestServerParts {
  readonly ports: GatewayPorts;
  readonly clock: Pick<Clock, 'after'>;
  /** How long a plugin's route may take to begin its answer. Milliseconds. */
  readonly firstByteMs: number;
  /** Routes of plugins as they are now, in the order in which they are asked. */
  readonly routes: () => readonly PluginHttpRoute[];
  /** What serves people; undefined where nothing does. */
  readonly pages: () => PageServer | undefined;
  readonly browsers: PairedBrowsers;
  /** Takes what plugins do wrong. */
  readonly report: (diagnostic: Diagnostic) => void;
}

interface Connection {
  readonly stream: TunnelStream;
  readonly caller: Caller;
}

/** An HTTP server that never listens: its connections are streams from the thread that owns the sockets. */
export function createRequestServer(parts: RequestServerParts): RequestServer {
  const connections = new WeakMap<object, Connection>();
  /** What became something else than HTTP, with the function that took it. */
  const upgraded = new Map<TunnelStream, PluginHttpRoute['upgrade']>();
  const open = new Set<ServerResponse>();
  let waiting: readonly (() => void)[] = [];
  const server = createServer((request, response) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (open.size > 0) return;
      for (const resume of waiting) resume();
      waiting = [];
    });
    void answer(parts, request, response, connection);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const connection = connections.get(socket);
    if (connection !== undefined) void answerUpgrade(parts, request, head, connection, upgraded);
  });
  return {
    connect(stream, caller) {
      // A client that goes away is no error of this program.
      stream.on('error', () => undefined);
      connections.set(stream, { stream, caller });
      server.emit('connection', stream);
    },
    sync() {
      const now = new Set(parts.routes().map(({ upgrade }) => upgrade));
      for (const [stream, upgrade] of upgraded) if (!now.has(upgrade)) stream.destroy();
    },
    async idle() {
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
    },
  };
}

type OwnRoute = (
  ports: GatewayPorts,
  request: IncomingMessage,
  response: ServerResponse,
  parts: Pick<RequestServerParts, 'pages' | 'browsers'>,
) => Promise<void> | void;

const ownRoutes: Readonly<Record<OwnAddress, OwnRoute>> = {
  'POST /tools/invoke': answerToolCall,
  'POST /mcp': answerMcp,
  'GET /mcp': refuseMcpStream,
  'DELETE /mcp': refuseMcpStream,
  'POST /v1/chat/completions': answerChat,
  'POST /v1/responses': answerResponses,
  'POST /page/pair': async (_, request, response, { pages }) => {
    const { code, allow } = await readBody(request);
    const isKnown = typeof code === 'string' && pages()?.answerPairing?.(code, allow === true) === true;
    if (isKnown) sendJson(response, 200, { ok: true });
    else sendError(response, 404, 'not_found', 'No browser with this code waits.');
  },
  'GET /page/browsers': (_, __, response, { browsers }) => {
    sendJson(response, 200, { browsers: browsers.list() });
  },
  'POST /page/revoke': async (_, request, response, { browsers }) => {
    const { id } = await readBody(request);
    const known = browsers.list().find((browser) => browser.id === id);
    if (known === undefined) {
      sendError(response, 404, 'not_found', 'No browser with this id has access.');
      return;
    }
    browsers.revoke(known.id);
    sendJson(response, 200, { ok: true });
  },
  'GET /v1/models': (ports, _, response) => {
    sendJson(response, 200, { object: 'list', data: listModels(ports) });
  },
  'GET /v1/models/{id}': (ports, request, response) => {
    const id = namedModel(request.url ?? '') ?? '';
    const agent = agentIn(id);
    const isAgent = agent !== undefined && ports.agents().includes(agent.agentId ?? ports.agents()[0] ?? '');
    if (!isAgent && !ports.models().includes(id)) throw modelUnknown(id);
    sendJson(response, 200, toListed(id));
  },
};

function listModels(ports: GatewayPorts): readonly object[] {
  return [...ports.agents().map((id) => `openclaw:${id}`), ...ports.models()].map(toListed);
}

function toListed(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'pincer' };
}

/** Never rejects. */
async function answer(
  parts: RequestServerParts,
  request: IncomingMessage,
  response: ServerResponse,
  { stream, caller }: Connection,
): Promise<void> {
  const { ports, pages } = parts;
  const path = plainPath(request.url ?? '');
  const address = ownAddressOf(request.method ?? '', request.url ?? '');
  const own = address === undefined ? undefined : ownRoutes[address];
  if (own !== undefined && caller === (path === mcpPath ? 'mcp' : 'owner')) {
    try {
      await own(ports, request, response, parts);
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
  for (const route of routesFor(parts, path, caller)) {
    const call = async (): Promise<boolean> =>
      (await route.handle(request, response)) || response.headersSent;
    const isTaken = await askRoute(parts, route, stream, call, () => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, 'plugin_error', `Plugin ${route.pluginId} failed to answer.`);
    });
    if (isTaken) return;
  }
  request.resume();
  if (caller !== 'unknown') sendError(response, 404, 'not_found', 'Nothing is served here.');
  else sendError(response, 401, 'unauthorized', 'The token is missing or wrong.');
}

/** Never rejects. */
async function answerUpgrade(
  parts: RequestServerParts,
  request: IncomingMessage,
  head: Buffer,
  { stream, caller }: Connection,
  upgraded: Map<TunnelStream, PluginHttpRoute['upgrade']>,
): Promise<void> {
  for (const route of routesFor(parts, plainPath(request.url ?? ''), caller)) {
    const { upgrade, pluginId } = route;
    if (upgrade === undefined) continue;
    upgraded.set(stream, upgrade);
    const forget = (): void => void upgraded.delete(stream);
    stream.once('close', forget);
    const call = async (): Promise<boolean> =>
      (await upgrade(request, stream, head)) || stream.bytesWritten > 0;
    const isTaken = await askRoute(parts, route, stream, call, () => {
      if (stream.bytesWritten > 0) stream.destroy();
      else refuseSocket(stream, 500, 'plugin_error', `Plugin ${pluginId} failed to answer.`);
    });
    if (isTaken) return;
    stream.off('close', forget);
    forget();
  }
  if (caller !== 'unknown') refuseSocket(stream, 404, 'not_found', 'Nothing is served here.');
  else refuseSocket(stream, 401, 'unauthorized', 'The token is missing or wrong.');
}

/** In the order in which they are asked. The thread has checked the caller, too; routes may have changed since. */
function routesFor(
  { routes }: RequestServerParts,
  path: string | undefined,
  caller: Caller,
): readonly PluginHttpRoute[] {
  // No handler for all paths gets what is meant for the gateway's own, or hears of a client that has the token for that.
  if (path === undefined || path === mcpPath) return [];
  return routes().filter((each) => servesPath(each, path) && (caller === 'owner' || each.auth === 'plugin'));
}

/**
 * Calls one route; false where it leaves the request to the next. One that fails is told of and ended by `fail`; one that does not begin
 * its answer in time is told of, and answered in its place. Never rejects.
 */
async function askRoute(
  { clock, firstByteMs, report }: RequestServerParts,
  route: PluginHttpRoute,
  stream: TunnelStream,
  call: () => Promise<boolean>,
  fail: () => void,
): Promise<boolean> {
  const state = { isLate: false };
  const before = stream.bytesWritten;
  const stopWaiting = clock.after(firstByteMs, () => {
    if (stream.bytesWritten > before) return;
    state.isLate = true;
    report(routeFailed(route, `it did not begin to answer within ${String(firstByteMs / 1_000)} s`));
    refuseSocket(stream, 504, 'plugin_error', `Plugin ${route.pluginId} did not answer.`);
  });
  stream.once('close', stopWaiting);
  try {
    if (await call()) return true;
  } catch (error) {
    // What it says of an answer that it may not give any more is nothing new.
    if (state.isLate) return true;
    report(routeFailed(route, errorMessage(error)));
    fail();
    return true;
  }
  stopWaiting();
  stream.off('close', stopWaiting);
  return state.isLate;
}

function routeFailed({ pluginId, kind, path }: PluginHttpRoute, why: string): Diagnostic {
  const message = `${kind} "${path}" from ${pluginId} failed: ${why}`;
  return { level: 'warn', code: 'plugin_route_failed', message, pluginId };
}

type Ports = Pick<GatewayPorts, 'served'>;

/** `POST /mcp` (Model Context Protocol, Streamable HTTP), where the user's config serves tools to clients of other programs. */
async function answerMcp(ports: Ports, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
function refuseMcpStream(ports: Ports, request: IncomingMessage, response: ServerResponse): void {
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

/**
 * `POST /tools/invoke` (OpenClaw documentation, Tools invoke API). What asks in a turn asks here, too: upstream's own list of tools that it
 * denies over HTTP is not needed.
 */
async function answerToolCall(
  ports: Pick<GatewayPorts, 'callTool'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const invocation = readInvocation(await readBody(request), signalOf(response));
  const outcome = await ports.callTool(invocation);
  const problem = problemOf(outcome);
  if (problem === undefined) {
    const { content, details } = outcome.message;
    sendJson(response, 200, { ok: true, result: { content, ...(details === undefined ? {} : { details }) } });
  } else sendJson(response, problem.status, { ok: false, error: problem.error });
}

/** @throws PincerError `request_invalid` */
function readInvocation(body: Readonly<Record<string, unknown>>, signal: AbortSignal): ToolInvocation {
  const { action, args = {}, sessionKey, agentId, idempotencyKey } = body;
  const name = textOf(body['name']) ?? textOf(body['tool']);
  if (name === undefined) throw invalidRequest('tool must be the name of a tool.');
  if (!isRecord(args)) throw invalidRequest('args must be an object.');
  const key = textOf(sessionKey);
  const agent = textOf(agentId);
  const idempotency = textOf(idempotencyKey);
  return {
    name,
    args: action === undefined || 'action' in args ? args : { ...args, action },
    ...(key === undefined || key === 'main' ? {} : { sessionKey: key }),
    ...(agent === undefined ? {} : { agentId: agent }),
    callId: `invoke_${idempotency === undefined ? randomUUID() : hashOf(idempotency)}`,
    signal,
  };
}

/** What went wrong, by what the program itself knows; undefined where the tool ran. */
function problemOf({ message, facts }: ToolOutcome):
  | {
      readonly status: number;
      readonly error: { readonly type: string; readonly message: string; readonly requiresApproval?: true };
    }
  | undefined {
  if (!message.isError) return undefined;
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))[0] ?? '';
  const said = isRecord(facts) ? facts['status'] : undefined;
  if (said === 'unknown-tool') return { status: 404, error: { type: 'not_found', message: text } };
  if (said === 'invalid-params')
    return { status: 400, error: { type: 'invalid_request_error', message: text } };
  if (said === 'denied')
    return { status: 403, error: { type: 'forbidden', message: text, requiresApproval: true } };
  if (said === 'blocked' || said === 'withheld')
    return { status: 403, error: { type: 'forbidden', message: text } };
  return { status: 500, error: { type: 'tool_error', message: text } };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
