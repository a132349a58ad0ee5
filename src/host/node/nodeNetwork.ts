// Threat: the editor replaces the request functions of node:http and node:https in extensions, so that requests take its
// proxy; a pinned address would be lost without a word. So the sockets are opened here, and HTTP is spoken over them by
// `ClientRequest`, which nobody replaces.
import { lookup } from 'node:dns/promises';
import {
  ClientRequest,
  type ClientRequestArgs,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { cancelledError } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Network, NetworkResponse, PinnedRequest } from '../network.ts';
import { codeOf } from './systemErrors.ts';

interface NodeNetworkOptions {
  /** Certificates to trust instead of the usual ones, as PEM; for tests. */
  readonly ca?: string;
}

const maxConnectMs = 8_000;

export function createNodeNetwork({ ca }: NodeNetworkOptions = {}): Network {
  return { lookup: lookupAll, send: async (request) => await send(request, ca) };
}

async function lookupAll(host: string): Promise<readonly string[]> {
  try {
    const answers = await lookup(host, { all: true, order: 'verbatim' });
    return answers.map(({ address }) => address);
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes(codeOf(error) ?? '')) return [];
    throw new PincerError(
      'net_lookup',
      `The name server did not answer for ${host}: ${errorMessage(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function send(request: PinnedRequest, ca: string | undefined): Promise<NetworkResponse> {
  if (request.signal.aborted) throw cancelledError();
  const url = new URL(request.url);
  const socket = await openSocket(url, request, ca);
  const isForwarded = request.route.kind === 'proxy' && url.protocol === 'http:';
  const response = await exchange(socket, request, {
    path: isForwarded ? url.href.slice(0, url.href.length - url.hash.length) : url.pathname + url.search,
    headers: {
      host: url.host,
      ...request.headers,
      ...(isForwarded ? proxyHeaders(readProxy(request.route.proxy)) : {}),
      connection: 'close',
    },
  });
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: readBody(response, request),
    close: () => void response.destroy(),
  };
}

/** A connection over which the request can be written: to the server, or to the proxy that forwards it. */
async function openSocket(url: URL, request: PinnedRequest, ca: string | undefined): Promise<Socket> {
  const { route } = request;
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (route.kind === 'address') {
    const socket = await openTcp(route.address, portOf(url), request);
    return url.protocol === 'https:' ? await openTls(socket, host, request, ca) : socket;
  }
  const proxy = readProxy(route.proxy);
  const plain = await openTcp(proxy.hostname.replace(/^\[|\]$/gu, ''), portOf(proxy), request);
  const socket = proxy.protocol === 'https:' ? await openTls(plain, proxy.hostname, request, ca) : plain;
  if (url.protocol === 'http:') return socket;
  return await openTls(await openTunnel(socket, url, proxy, request), host, request, ca);
}

async function openTcp(host: string, port: number, request: PinnedRequest): Promise<Socket> {
  const socket = connectTcp({ host, port });
  // A dead address must leave time for the next one.
  socket.setTimeout(maxConnectMs, () => socket.destroy(new Error('it did not answer')));
  await opened(socket, 'connect', request);
  return socket.setTimeout(0);
}

async function openTls(
  socket: Socket,
  host: string,
  request: PinnedRequest,
  ca: string | undefined,
): Promise<Socket> {
  const name = host.replace(/\.$/u, '');
  const secure = connectTls({
    socket,
    // The certificate must be for this name, whatever the address; an IP address is no server name.
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return await opened(secure, 'secureConnect', request);
}

/** Waits for a connection; whatever happens to it later ends it with the signal. */
async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  request: PinnedRequest,
): Promise<Socket> {
  const { signal } = request;
  return await new Promise((resolve, reject) => {
    const onAbort = (): void => void socket.destroy(cancelledError());
    // Stays attached: a socket that fails between two listeners would end the process.
    socket.on('error', (error) => reject(failure('net_connect', request, error)));
    socket.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      reject(failure('net_connect', request, new Error('the connection was closed')));
    });
    socket.once(event, () => resolve(socket));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

async function openTunnel(socket: Socket, url: URL, proxy: URL, request: PinnedRequest): Promise<Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  return await new Promise((resolve, reject) => {
    const headers = { host: target, ...proxyHeaders(proxy) };
    const outgoing = createRequest(socket, { path: target, headers, method: 'CONNECT' });
    outgoing.once('error', (error) => reject(failure('net_connect', request, error)));
    outgoing.once('response', () => outgoing.destroy(new Error('the proxy opened no tunnel')));
    outgoing.once('connect', (response) => {
      if (response.statusCode === 200) resolve(socket);
      else socket.destroy(new Error(`the proxy answered ${response.statusCode ?? 0}`));
    });
    socket.once('error', (error) => reject(failure('net_connect', request, error)));
    outgoing.end();
  });
}

interface Message {
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
}

async function exchange(socket: Socket, request: PinnedRequest, message: Message): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    const outgoing = createRequest(socket, { ...message, method: request.method ?? 'GET' });
    outgoing.on('error', (error) => reject(failure('net_failed', request, error)));
    outgoing.once('response', resolve);
    outgoing.end(request.body);
  });
}

/** @throws TypeError for headers that no request can have; the socket is closed then. */
function createRequest(socket: Socket, options: ClientRequestArgs): ClientRequest {
  try {
    return new ClientRequest({ ...options, createConnection: () => socket, setHost: false });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function* readBody(response: IncomingMessage, request: PinnedRequest): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array;
  } catch (error) {
    throw failure('net_failed', request, error);
  }
}

/** @throws PincerError `net_proxy_kind`; its text leaves out the user name and password. */
function readProxy(text: string): URL {
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy !== undefined && /^https?:$/u.test(proxy.protocol)) return proxy;
  throw new PincerError('net_proxy_kind', 'The proxy of the environment is no http or https URL.', {
    hint: 'Set HTTPS_PROXY to an address such as http://proxy.example:3128.',
  });
}

function proxyHeaders({ username, password }: URL): OutgoingHttpHeaders {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function failure(code: 'net_connect' | 'net_failed', request: PinnedRequest, error: unknown): PincerError {
  if (request.signal.aborted) return cancelledError();
  const { host } = new URL(request.url);
  const what = code === 'net_connect' ? 'No connection to' : 'The connection broke to';
  return new PincerError(code, `${what} ${host}: ${errorMessage(error)}`, { cause: error });
}
