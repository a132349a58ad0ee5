// Threat: a checked name that answers with another address a moment later (rebinding), a redirect into the private
// network, a key that a redirect carries to a stranger, and an answer without end in bytes or in time. So the connection
// goes to the very address that was checked, each redirect is a new request that passes every check again, and one time limit covers
// it all.
import { cancelledError, raceAbort } from '../base/abort.ts';
import { PincerError } from '../base/errors.ts';
import type { Network, NetworkResponse, NetworkRoute } from '../host/network.ts';
import type { Clock } from '../host/ports.ts';
import { acceptedEncodings, decodeBody } from './decodeBody.ts';
import * as errors from './netErrors.ts';
import { judgeAddress, type AddressVerdict } from './judgeAddress.ts';
import { judgeUrl, literalOf, readUrl } from './judgeUrl.ts';
import { plainName } from './judgeHostName.ts';
import { proxyFor, type ProxySettings } from './proxySettings.ts';

interface GuardedFetchDeps {
  readonly network: Network;
  readonly clock: Clock;
  /** Read for each request. */
  readonly options: () => GuardedFetchOptions;
}

interface GuardedFetchOptions {
  readonly proxies: ProxySettings;
  /** True where the user accepts that a proxy connects to addresses that nobody has checked. */
  readonly allowProxy: boolean;
}

export interface GuardedRequest {
  readonly url: string;
  /** Default GET. With any other method no redirect is followed: what is sent was meant for this address. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: string;
  /** Dropped on the way to another origin, but for what says nothing of the user. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** For everything: look-up, redirects and the last byte; of a stream up to its head. */
  readonly timeoutMs?: number;
  /** After unpacking. */
  readonly maxBytes: number;
  /** Whether a redirect may be followed, beyond the checks that hold for all; default yes. */
  readonly mayFollow?: (to: URL, from: URL) => boolean;
  /** Whether an answer with this head is a stream that is read as it comes, until `signal` aborts; default no. Asks for nothing packed. */
  readonly isStream?: (header: GuardedResponse['header']) => boolean;
  /**
   * An origin that the user named in the config, such as `http://127.0.0.1:8888`: requests to it may reach the user's own
   * machine and networks. Nothing else may, redirects from it included.
   */
  readonly ownOrigin?: string;
}

export interface GuardedResponse {
  /** After all redirects. */
  readonly url: string;
  readonly status: number;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  readonly bytes: Uint8Array;
  /** There for a stream, in place of the bytes: what comes, as it comes. Rejects with `net_too_large` past `maxBytes`. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** True where there was more than `maxBytes`. */
  readonly isCut: boolean;
}

/**
 * Rejects with a PincerError `net_*`; with `cancelled` where the signal aborted, and with `net_timeout` after `timeoutMs`.
 */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedResponse>;

const maxRedirects = 3;
const maxTimeoutMs = 600_000;
const defaultTimeoutMs = 30_000;
const maxAddresses = 4;
const redirects = new Set([301, 302, 303, 307, 308]);
/** All that goes on to another origin; a list of what to drop would miss the next header that holds a key. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'accept-encoding', 'user-agent']);

export function createGuardedFetch(deps: GuardedFetchDeps): GuardedFetch {
  return async (request) =>
    await withTimeout(deps.clock, request, async (signal) => await follow(deps, { ...request, signal }));
}

async function withTimeout<T>(
  clock: Clock,
  request: GuardedRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutMs = Math.min(request.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs);
  const timeout = new AbortController();
  const stop = clock.after(timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([request.signal, timeout.signal]);
  try {
    return await raceAbort(work(signal), signal);
  } catch (error) {
    if (request.signal.aborted) throw cancelledError();
    if (timeout.signal.aborted) throw errors.netTimeout(hostOf(request.url), timeoutMs);
    throw error;
  } finally {
    stop();
  }
}

async function follow(deps: GuardedFetchDeps, request: GuardedRequest): Promise<GuardedResponse> {
  let url = requireUrl(request, request.url);
  let headers = lowerCased(request.headers ?? {});
  const seen = new Set([withoutFragment(url)]);
  for (;;) {
    const response = await sendOnce(deps, request, url, headers);
    const location = redirects.has(response.status) ? response.header('location') : undefined;
    if (location === undefined) return await toResult(response, url, request);
    response.close();
    const next = requireUrl(request, location, url);
    if (url.protocol === 'https:' && next.protocol === 'http:') throw errors.redirectDowngrade(next.href);
    if (seen.has(withoutFragment(next))) throw errors.redirectLoop(next.href);
    if (seen.size > maxRedirects) throw errors.tooManyRedirects(maxRedirects);
    const isSent = (request.method ?? 'GET') !== 'GET';
    if (isSent || request.mayFollow?.(next, url) === false)
      throw errors.redirectElsewhere(url.href, next.href);
    if (next.origin !== url.origin) headers = onlyHarmless(headers);
    seen.add(withoutFragment(next));
    url = next;
  }
}

/** @throws PincerError `net_blocked` */
function requireUrl({ ownOrigin }: GuardedRequest, raw: string, base?: URL): URL {
  const read = readUrl(raw, base);
  const isOwn = read.kind === 'ok' && read.url.origin === ownOrigin;
  const verdict = isOwn ? read : judgeUrl(raw, base);
  if (verdict.kind === 'block') throw errors.blockedUrl(raw, verdict.reason);
  return verdict.url;
}

async function sendOnce(
  deps: GuardedFetchDeps,
  request: GuardedRequest,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<NetworkResponse> {
  const routes = await planRoutes(deps, request, url);
  let failure: unknown = errors.unknownHost(url.hostname);
  for (const route of routes) {
    try {
      return await deps.network.send({
        url: url.href,
        route,
        ...(request.method === undefined ? {} : { method: request.method }),
        ...(request.body === undefined ? {} : { body: request.body }),
        headers: {
          ...headers,
          'accept-encoding': request.isStream === undefined ? acceptedEncodings : 'identity',
        },
        signal: request.signal,
      });
    } catch (error) {
      // All of them have been checked, so where one can't be reached the next may be tried.
      const isUnreachable = error instanceof PincerError && error.code === 'net_connect';
      if (!isUnreachable || request.signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The checked ways to a host, at least one. @throws PincerError `net_blocked`, `net_proxy`, `net_unknown_host` */
async function planRoutes(
  deps: GuardedFetchDeps,
  { ownOrigin }: GuardedRequest,
  url: URL,
): Promise<readonly NetworkRoute[]> {
  const isOwn = url.origin === ownOrigin;
  const { proxies, allowProxy } = deps.options();
  const proxy = isOwn ? undefined : proxyFor(proxies, url);
  if (proxy !== undefined && !allowProxy) throw errors.proxyForbidden(proxy.name);
  const literal = literalOf(url);
  const host = plainName(url.hostname);
  const addresses = literal === undefined ? await deps.network.lookup(host) : [literal];
  for (const address of addresses) {
    const verdict = judgeAddress(address);
    if (!mayConnect(verdict, isOwn)) throw errors.blockedAddress(host, address, verdict.reason);
  }
  // Behind a proxy the own name server often knows no outside names.
  if (proxy !== undefined) return [{ kind: 'proxy', proxy: proxy.value }];
  if (addresses.length === 0) throw errors.unknownHost(host);
  return addresses.slice(0, maxAddresses).map((address) => ({ kind: 'address', address }));
}

function mayConnect(
  verdict: AddressVerdict,
  isOwn: boolean,
): verdict is Extract<AddressVerdict, { kind: 'public' }> {
  return verdict.kind === 'public' || (isOwn && verdict.kind === 'local');
}

async function toResult(
  response: NetworkResponse,
  url: URL,
  { maxBytes, isStream }: GuardedRequest,
): Promise<GuardedResponse> {
  const { status } = response;
  const header: GuardedResponse['header'] = (name) => response.header(name);
  const encoding = header('content-encoding');
  // One that is packed although nobody asked for it is read to its end.
  if (encoding === undefined && isStream?.(header) === true) {
    const stream = readStream(response, url, maxBytes);
    return { url: url.href, status, header, bytes: new Uint8Array(), isCut: false, stream };
  }
  try {
    return { url: url.href, status, header, ...(await decodeBody(response.body, encoding, maxBytes)) };
  } finally {
    response.close();
  }
}

async function* readStream(
  response: NetworkResponse,
  { host }: URL,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > maxBytes) throw errors.streamTooLarge(host, maxBytes);
      yield chunk;
    }
  } finally {
    response.close();
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function onlyHarmless(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name)));
}

function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
