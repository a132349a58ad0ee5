import { once } from 'node:events';
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { proofOf } from '../gatewayToken.ts';
import { plainPath } from '../plainPath.ts';
import {
  ownAddressOf,
  type FromThread,
  type OpenPath,
  type ServerSettings,
  type ToClient,
} from '../gatewayProtocol.ts';
import { refuseSocket } from '../refuseSocket.ts';
import { createTunnels, type Caller, type TunnelFrame } from '../tunnels.ts';
import { createClients } from './createClients.ts';
import { createRateLimit } from '../../base/createRateLimit.ts';
import { createRequestLog } from './createRequestLog.ts';
import { callerOf, isOpenPath, isRightToken, judgeCaller, judgeNames, type Refusal } from './judgeRequest.ts';

/** The server that owns the sockets: it lets in, limits and logs; what is asked for is answered by the other thread. */
export interface GatewayServer {
  readonly port: number;
  setOpenPaths(paths: readonly OpenPath[]): void;
  /** What came with another token for `/mcp` is cut off. */
  setMcpToken(digest: Uint8Array | undefined): void;
  /** A frame of the other thread. */
  receive(frame: TunnelFrame): void;
  /** Something for clients over WebSocket. */
  toClients(step: ToClient): void;
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
/** What a header says of one connection says nothing of the next. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]);

const tooMany: Refusal = { status: 429, message: 'Too many requests.' };
/** By Node's code of what is wrong with the bytes of a request. */
const unreadable: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large.' },
};

/** @throws the system's error where it can't listen: `EADDRINUSE` */
export async function createGatewayServer(
  settings: ServerSettings,
  post: (message: FromThread) => void,
): Promise<GatewayServer> {
  const { limits } = settings;
  let openPaths: readonly OpenPath[] = [];
  let { mcpTokenDigest } = settings;
  const tunnels = createTunnels((frame) => post({ kind: 'tunnel', frame }));
  const now = (): number => performance.now();
  const known = createRateLimit(limits.known, now);
  const unknown = createRateLimit(limits.unknown, now);
  // Any page of the user's browser can ask all the time: that must leave the others what is theirs.
  const foreign = createRateLimit(limits.unknown, now);
  const log = createRequestLog((requests) => post({ kind: 'answered', requests }));
  const app = createApp(settings, {
    onMalformed({ raw }, reply) {
      const { refusal } = judge(raw, () => false);
      const { status, message } = refusal ?? { status: 400, message: 'The address can not be read.' };
      log.add({ at: Date.now(), method: raw.method ?? '', path: pathOf(raw), status, durationMs: 0 });
      void refuse(harden(reply), status, message);
    },
    onUnreadable({ code }, socket) {
      if (socket.destroyed) return;
      const problem = unreadable[code] ?? { status: 400, message: 'The request can not be read.' };
      // Who sends it is not known.
      const { status, message } = foreign.take() ? problem : tooMany;
      log.add({ at: Date.now(), method: '-', path: '-', status, durationMs: 0 });
      // After the bytes of an answer, others would be taken for more of it.
      if (socket.writable && socket.bytesWritten === 0) refuseAndClose(socket, status, message);
      else socket.destroy();
    },
  });

  /** Names, rate, token: in this order, for every request. */
  const judge = (
    { url = '/', headers }: IncomingMessage,
    isOpen: (url: string) => boolean,
  ): { readonly caller: Caller; readonly refusal: Refusal | undefined } => {
    const caller = callerOf(headers.authorization, { ...settings, mcpTokenDigest });
    const { host, origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers;
    const refusal = judgeNames({ host, origin, site, destination }, { ...settings, port: portOf(app) });
    const rate = refusal !== undefined ? foreign : caller === 'unknown' ? unknown : known;
    if (!rate.take()) return { caller, refusal: tooMany };
    return {
      caller,
      refusal: refusal ?? judgeCaller(caller, url, isOpen(url) || isOpenPath(url, openPaths)),
    };
  };
  /** What MCP clients wait for. */
  const ofMcp = new Set<Duplex>();
  const openTunnel = (caller: Caller): ReturnType<typeof tunnels.open> => {
    const stream = tunnels.open(caller);
    if (caller === 'mcp') {
      ofMcp.add(stream);
      stream.once('close', () => ofMcp.delete(stream));
    }
    return stream;
  };
  /** Of requests that wait for a first answer: Node by itself gives it before they are judged. */
  const expectations = new WeakMap<IncomingMessage, 'continue' | 'other'>();
  const judgeFirst =
    (expected: 'continue' | 'other') =>
    (request: IncomingMessage, response: ServerResponse): void => {
      expectations.set(request, expected);
      app.server.emit('request', request, response);
    };
  app.server.on('checkContinue', judgeFirst('continue'));
  app.server.on('checkExpectation', judgeFirst('other'));
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { refusal } = judge(raw, (url) => /^\/healthz(?:\?|$)/u.test(url));
    if (refusal !== undefined) return await refuse(reply, refusal.status, refusal.message);
    const expected = expectations.get(raw);
    if (expected === 'continue') reply.raw.writeContinue();
    return expected === 'other'
      ? await refuse(reply, 417, 'What the request expects is not done.')
      : undefined;
  });
  app.addHook('onSend', async (_, reply) => {
    harden(reply);
  });
  app.addHook('onResponse', async ({ raw }, reply) => {
    const { statusCode: status, elapsedTime: durationMs } = reply;
    log.add({ at: Date.now(), method: raw.method ?? '', path: pathOf(raw), status, durationMs });
  });
  app.get<{ Querystring: { readonly challenge?: unknown } }>(
    '/healthz',
    // Monitors ask for the head alone.
    { exposeHeadRoute: true },
    ({ query: { challenge } }) => ({
      ...{ ok: true, status: 'live', instance: settings.instance },
      ...(typeof challenge === 'string' ? { proof: proofOf(settings.proofKey, challenge) } : {}),
    }),
  );
  // Requests with the gateway's token share connections: a new one each is garbage that the extension host pauses for. But not those that
  // a plugin may answer: it gets the socket, and could answer the next request, too.
  const shared = createAgent(true, () => openTunnel('owner'));
  const single: Readonly<Record<Caller, Agent>> = {
    owner: createAgent(false, () => openTunnel('owner')),
    mcp: createAgent(false, () => openTunnel('mcp')),
    unknown: createAgent(false, () => openTunnel('unknown')),
  };
  app.all('/*', async (request, reply) => {
    const caller = callerOf(request.raw.headers.authorization, { ...settings, mcpTokenDigest });
    const { method = '', url = '' } = request.raw;
    const isShared = caller === 'owner' && ownAddressOf(method, url) !== undefined;
    return await forward(isShared ? shared : single[caller], request, reply, caller);
  });
  const clients = createClients(
    settings,
    (token) => isRightToken(token, settings),
    (step) => post({ kind: 'client', step }),
  );
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { url = '/' } = request;
    // Upstream's clients ask for the root.
    const isOurs = ['/ws', '/'].includes(plainPath(url) ?? '');
    const { caller, refusal } = judge(request, () => isOurs);
    log.add({
      at: Date.now(),
      method: 'WS',
      path: pathOf(request),
      status: refusal?.status ?? 101,
      durationMs: 0,
    });
    if (refusal !== undefined) refuseAndClose(socket, refusal.status, refusal.message);
    else if (isOurs) clients.take(request, socket, head, caller === 'owner');
    else forwardUpgrade(openTunnel(caller), request, socket, head, caller);
  });
  await app.ready();
  await listen(app, settings);
  return {
    port: portOf(app),
    setOpenPaths(paths) {
      openPaths = paths;
    },
    setMcpToken(digest) {
      if (isDeepStrictEqual(digest, mcpTokenDigest)) return;
      mcpTokenDigest = digest;
      for (const stream of ofMcp) stream.destroy();
    },
    receive: (frame) => tunnels.receive(frame),
    toClients: (step) => clients.receive(step),
    async close() {
      tunnels.close();
      clients.close();
      const closed = once(app.server, 'close');
      app.server.close();
      app.server.closeAllConnections();
      await closed;
      log.flush();
    },
  };
}

/** What no hook sees: `onMalformed` answers an address that no route can be found for, `onUnreadable` what is no request. */
function createApp(
  { limits }: ServerSettings,
  {
    onMalformed,
    onUnreadable,
  }: {
    readonly onMalformed: (request: FastifyRequest, reply: FastifyReply) => void;
    readonly onUnreadable: (error: { readonly code: string }, socket: Socket) => void;
  },
): FastifyInstance {
  const app = fastify({
    clientErrorHandler: onUnreadable,
    frameworkErrors: (_, request, reply) => onMalformed(request, reply),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: 5_000,
    exposeHeadRoutes: false,
    http: {
      headersTimeout: limits.headersMs,
      maxHeaderSize: limits.headerBytes,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    },
  });
  app.server.maxConnections = limits.connections;
  // Whoever answers reads the body in its own way.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler(
    async ({ statusCode = 500, message }: Error & { readonly statusCode?: number }, _, reply) =>
      refuse(reply, statusCode, statusCode < 500 ? message : 'The request could not be answered.'),
  );
  return app;
}

/** As the request log has it. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split(/[?#]/u, 1)[0]?.slice(0, 200) ?? '/';
}

/** What a browser must not make of an answer. */
function harden(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
}

async function refuse(reply: FastifyReply, status: number, message: string): Promise<FastifyReply> {
  if (status === 429) reply.header('retry-after', '1');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  // To read on would hold the connection for as long as a request may take. Node destroys it once the answer is out.
  if (isBodyOnItsWay(reply.request.raw)) reply.header('connection', 'close');
  return await reply.code(status).send({ ok: false, error: { type: typeOf(status), message } });
}

/** Where there is no reply. One that never closes its own end would hold the connection. */
function refuseAndClose(socket: Duplex, status: number, message: string): void {
  socket.once('finish', () => socket.destroy());
  refuseSocket(socket, status, typeOf(status), message);
}

function isBodyOnItsWay({ headers, complete }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return !complete && (Number(length) > 0 || encoding !== undefined);
}

function typeOf(status: number): string {
  return status === 401 ? 'unauthorized' : status === 429 ? 'rate_limited' : 'invalid_request_error';
}

async function listen(app: FastifyInstance, { port, mayMove }: ServerSettings): Promise<void> {
  const begin = async (wanted: number): Promise<void> => {
    app.server.listen(wanted, loopback);
    await once(app.server, 'listening');
  };
  try {
    await begin(port);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken || !mayMove) throw error;
    await begin(0);
  }
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

/** Connections of the tunnels, kept for further requests where they may be. */
function createAgent(keepAlive: boolean, open: () => Duplex): Agent {
  const agent = new Agent({ keepAlive, maxFreeSockets: 8 });
  agent.createConnection = open;
  return agent;
}

/** Hands a request to the other thread over a connection of `agent`, and its answer to the client, as fast as that takes it. */
async function forward(
  agent: Agent,
  { raw, body }: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<FastifyReply> {
  const inner = httpRequest({
    agent,
    method: raw.method ?? 'GET',
    path: raw.url ?? '/',
    headers: innerHeaders(raw.headers, body, caller),
    setHost: false,
  });
  reply.raw.once('close', () => inner.destroy());
  try {
    const answered = once(inner, 'response') as Promise<[IncomingMessage]>;
    // Where the request fails before it is waited for, nobody else hears of that.
    answered.catch(() => undefined);
    inner.end(Buffer.isBuffer(body) ? body : undefined);
    const [answer] = await answered;
    for (const [name, value] of Object.entries(answer.headers))
      if (!ofConnection.has(name) && value !== undefined) reply.header(name, value);
    return await reply.code(answer.statusCode ?? 502).send(answer);
  } catch (error) {
    if (reply.raw.destroyed) return reply;
    const message = error instanceof Error ? error.message : 'the connection broke';
    return await refuse(reply, 502, `Nothing answered: ${message}`);
  }
}

// Threat: a plugin's route reads the token of whoever calls it. It is told that the token was right, and not which it is.
function innerHeaders(headers: IncomingHttpHeaders, body: unknown, caller: Caller): IncomingHttpHeaders {
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isHeldBack(name, caller))),
    ...(Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {}),
  };
}

/**
 * The same of a request to change the protocol: its head goes to the other thread, and from then on bytes go both ways. What comes back is
 * the plugin's own, the head of the answer too.
 */
function forwardUpgrade(
  stream: Duplex,
  { method = 'GET', url = '/', headers, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  caller: Caller,
): void {
  // The values went through a parser, so that none has a line break.
  const lines = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(at * 2, at * 2 + 2))
    .filter(([name = '']) => !isHeldBack(name.toLowerCase(), caller))
    .map(([name = '', value = '']) => `${name}: ${value}`);
  const first = `${method} ${url} HTTP/1.1`;
  const own = ['Connection: Upgrade', `Upgrade: ${headers.upgrade ?? ''}`];
  stream.write(Buffer.from([first, ...lines, ...own, '', ''].join('\r\n'), 'latin1'));
  if (head.length > 0) stream.write(head);
  // Who leaves leaves for both.
  pipeline(socket, stream, socket, () => undefined);
}

function isHeldBack(name: string, caller: Caller): boolean {
  return (
    ofConnection.has(name) ||
    name === 'content-length' ||
    name === 'expect' ||
    (name === 'authorization' && caller !== 'unknown')
  );
}
