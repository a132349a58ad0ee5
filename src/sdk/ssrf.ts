// Threat: an address that a stranger sent, or a redirect of a server, leads a plugin to a machine that trusts its network: loopback, the
// home network, a cloud's metadata service. So a host's addresses are looked at before each request, and once more after each redirect,
// whose target gets no credentials when it is another origin. A plugin has the user's rights: this keeps it from a mistake, not from intent,
// and a name server that answers otherwise a moment later is not seen.
import { lookup } from 'node:dns/promises';
import { isRecord } from '../base/json.ts';
import { judgeAddress } from '../net/judgeAddress.ts';
import { buildTimeoutAbortSignal } from './providerHttp.ts';

/** What a request may reach (`openclaw/plugin-sdk/ssrf-runtime`). */
export interface SsrFPolicy {
  readonly allowPrivateNetwork?: boolean;
  readonly dangerouslyAllowPrivateNetwork?: boolean;
  /** Hosts that may be in a private network. */
  readonly allowedHostnames?: readonly string[];
  /** Only these hosts; `*.example.org` means those below it. */
  readonly hostnameAllowlist?: readonly string[];
}

/** What a channel's settings allow: its `network.dangerouslyAllowPrivateNetwork`, or that key itself; undefined where they allow nothing. */
export function ssrfPolicyFromPrivateNetworkOptIn(settings: unknown): SsrFPolicy | undefined {
  return isPrivateNetworkOptInEnabled(settings) ? { allowPrivateNetwork: true } : undefined;
}

/** Whether a channel's settings allow addresses of private networks. */
export function isPrivateNetworkOptInEnabled(settings: unknown): boolean {
  if (settings === true) return true;
  if (!isRecord(settings)) return false;
  const places = isRecord(settings['network']) ? [settings, settings['network']] : [settings];
  return places.some(
    (place) => place['dangerouslyAllowPrivateNetwork'] === true || place['allowPrivateNetwork'] === true,
  );
}

export type LookupHost = (
  hostname: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string }[]>;

/** A host or an address that the policy forbids. */
export class SsrFBlockedError extends Error {
  override readonly name = 'SsrFBlockedError';
}

/** True of every address that is not of the public Internet; of text that is no address, too. */
export function isPrivateIpAddress(address: string): boolean {
  return judgeAddress(bare(address)).kind !== 'public';
}

/** True of names that never leave the machine or its network, and of private addresses. */
export function isBlockedHostnameOrIp(hostname: string, policy?: SsrFPolicy): boolean {
  if (allowsPrivate(policy)) return false;
  const host = bare(hostname);
  return isAddress(host) ? isPrivateIpAddress(host) : isLocalName(host);
}

export interface ResolveHostOptions {
  readonly policy?: SsrFPolicy;
  readonly signal?: AbortSignal;
  readonly lookupFn?: LookupHost;
}

/**
 * The addresses of a host, each allowed by the policy.
 * @throws SsrFBlockedError; Error where the name has no address
 */
export async function resolvePinnedHostnameWithPolicy(
  hostname: string,
  { policy, signal, lookupFn = lookup }: ResolveHostOptions = {},
): Promise<{ readonly hostname: string; readonly addresses: readonly string[] }> {
  signal?.throwIfAborted();
  const host = bare(hostname);
  if (!isListed(host, policy)) throw new SsrFBlockedError(`Blocked hostname (not in allowlist): ${host}`);
  const mayBePrivate = allowsPrivate(policy) || (policy?.allowedHostnames ?? []).map(bare).includes(host);
  if (!mayBePrivate && isBlockedHostnameOrIp(host)) throw blocked(host);
  const found = isAddress(host) ? [{ address: host }] : await lookupFn(host, { all: true });
  signal?.throwIfAborted();
  const addresses = [...new Set(found.map(({ address }) => address))];
  if (addresses.length === 0) throw new Error(`Unable to resolve hostname: ${host}`);
  if (addresses.some((address) => !isReachable(address, mayBePrivate))) throw blocked(host);
  return { hostname: host, addresses };
}

export interface PrivateUrlOptions extends Omit<ResolveHostOptions, 'policy'> {
  readonly allowPrivateNetwork?: boolean;
  readonly dangerouslyAllowPrivateNetwork?: boolean;
  readonly errorMessage?: string;
}

/** For a server that the user named without TLS. @throws Error `errorMessage` where it is not in a private network */
export async function assertHttpUrlTargetsPrivateNetwork(
  url: string,
  options: PrivateUrlOptions = {},
): Promise<void> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || isBlockedHostnameOrIp(hostname)) return;
  const { errorMessage = 'HTTP URL must target a trusted private/internal host' } = options;
  const isAllowed = options.dangerouslyAllowPrivateNetwork ?? options.allowPrivateNetwork ?? false;
  if (!isAllowed) throw new Error(errorMessage);
  const policy = { allowPrivateNetwork: true };
  const { addresses } = await resolvePinnedHostnameWithPolicy(hostname, { ...options, policy });
  if (!addresses.every(isPrivateIpAddress)) throw new Error(errorMessage);
}

export interface GuardedFetchOptions extends ResolveHostOptions {
  readonly url: string;
  readonly init?: RequestInit;
  readonly fetchImpl?: typeof fetch;
  readonly requireHttps?: boolean;
  /** Default 3. */
  readonly maxRedirects?: number;
  /** Milliseconds, until `release`. */
  readonly timeoutMs?: number;
}

export interface GuardedFetchAnswer {
  readonly response: Response;
  readonly finalUrl: string;
  /** To be called once the answer is read. */
  readonly release: () => Promise<void>;
}

/** A `fetch` that reaches what the policy allows. @throws SsrFBlockedError; Error for an address that is none, or too many redirects */
export async function fetchWithSsrFGuard(options: GuardedFetchOptions): Promise<GuardedFetchAnswer> {
  const { timeoutMs, maxRedirects = 3, fetchImpl = fetch } = options;
  const callers = options.signal ?? options.init?.signal ?? undefined;
  const { signal, cleanup } = buildTimeoutAbortSignal({
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(callers === undefined ? {} : { signal: callers }),
    operation: 'fetchWithSsrFGuard',
  });
  try {
    let url = checkedUrl(options.url, options);
    let init = options.init ?? {};
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      await resolvePinnedHostnameWithPolicy(url.hostname, {
        ...options,
        ...(signal === undefined ? {} : { signal }),
      });
      const response = await fetchImpl(url, { ...init, redirect: 'manual', signal: signal ?? null });
      const target = response.headers.get('location');
      if (![301, 302, 303, 307, 308].includes(response.status) || target === null)
        return { response, finalUrl: url.href, release: () => release(response, cleanup) };
      await response.body?.cancel();
      const next = checkedUrl(new URL(target, url).href, options);
      init = afterRedirect(init, response.status, next.origin === url.origin);
      url = next;
    }
    throw new Error(`Too many redirects (limit: ${String(maxRedirects)})`);
  } catch (error) {
    cleanup();
    throw error;
  }
}

async function release(response: Response, cleanup: () => void): Promise<void> {
  cleanup();
  if (response.body !== null && !response.body.locked) await response.body.cancel();
}

function checkedUrl(text: string, { requireHttps }: GuardedFetchOptions): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol)) throw new Error('Invalid URL: must be http or https');
  if (requireHttps === true && url.protocol !== 'https:') throw new Error('URL must use https');
  return url;
}

/** What goes to the next address: no body after a 303 and its like, nothing that names the caller to another origin. */
function afterRedirect(init: RequestInit, status: number, isSameOrigin: boolean): RequestInit {
  const method = init.method?.toUpperCase() ?? 'GET';
  const becomesGet = status === 303 || (status < 303 && method === 'POST');
  const { body, ...rest } = init;
  const headers = new Headers(init.headers);
  if (!isSameOrigin) {
    const kept = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);
    for (const name of [...headers.keys()]) if (!kept.has(name)) headers.delete(name);
  }
  return becomesGet || !isSameOrigin
    ? { ...rest, headers, method: method === 'HEAD' ? 'HEAD' : 'GET' }
    : { ...rest, headers, ...(body === undefined ? {} : { body }) };
}

function isReachable(address: string, mayBePrivate: boolean): boolean {
  const { kind } = judgeAddress(address);
  return kind === 'public' || (kind === 'local' && mayBePrivate);
}

function allowsPrivate(policy: SsrFPolicy | undefined): boolean {
  return policy?.allowPrivateNetwork === true || policy?.dangerouslyAllowPrivateNetwork === true;
}

function isListed(host: string, policy: SsrFPolicy | undefined): boolean {
  const list = (policy?.hostnameAllowlist ?? []).map(bare);
  const fits = (each: string): boolean =>
    each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each;
  return list.length === 0 || list.some(fits);
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || /\.(?:localhost|local|internal|home\.arpa)$/u.test(host);
}

function isAddress(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(host) || host.includes(':');
}

function bare(hostname: string): string {
  return hostname
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/gu, '')
    .replace(/\.$/u, '');
}

function blocked(host: string): SsrFBlockedError {
  return new SsrFBlockedError(`Blocked hostname or private/internal/special-use IP address: ${host}`);
}
