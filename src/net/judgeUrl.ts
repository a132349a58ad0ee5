// Threat: an address that a person, this guard and the network stack read differently. Control characters are dropped by
// some parsers, a backslash or an @ moves the host, and 0177.1 is 127.0.0.1 to some. So whatever can be read in two ways is refused
// before it is parsed, and what the parser made of it is judged, never the text.
import { judgeAddress } from './judgeAddress.ts';
import { judgeHostName } from './judgeHostName.ts';
import { judgePort } from './judgePort.ts';

type UrlVerdict =
  { readonly kind: 'ok'; readonly url: URL } | { readonly kind: 'block'; readonly reason: string };

const ambiguous =
  /[\u0000-\u0020\u007F-\u00A0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u2064\u3000\uFEFF\\]/u;
const maxChars = 8_000;

/**
 * Whether an address may be asked for, as far as it can be told without looking its name up; each of its addresses must pass
 * `judgeAddress` after that. A relative one is read against `base`. Pure.
 */
export function judgeUrl(raw: string, base?: URL): UrlVerdict {
  const read = readUrl(raw, base);
  if (read.kind === 'block') return read;
  const reason = judgePort(portOf(read.url)) ?? judgeHost(read.url);
  return reason === undefined ? read : block(reason);
}

/** Only the form: what it leads to is not judged. For origins that the user named in the config. Pure. */
export function readUrl(raw: string, base?: URL): UrlVerdict {
  if (raw.length > maxChars) return block(`it is longer than ${maxChars} characters`);
  if (ambiguous.test(raw))
    return block('it holds spaces, control characters or backslashes; write them percent-encoded');
  const absolute = /^(?:([a-z][a-z0-9+.-]*):)?\/\/([^/?#]*)/iu.exec(raw);
  if (absolute === null) return readRelative(raw, base);
  const [, scheme = base?.protocol.slice(0, -1), authority = ''] = absolute;
  if (scheme === undefined || !/^https?$/iu.test(scheme)) return block('it must be http or https');
  if (authority === '') return block('it names no host');
  if (authority.includes('@')) return block('it holds a user name or password');
  if (authority.includes('%')) return block('its host is percent-encoded');
  const url = parse(raw, base);
  if (url === undefined) return block('it is no valid URL');
  if (isRewrittenAddress(authority, url)) return block(`its host is another way to write ${url.hostname}`);
  return { kind: 'ok', url };
}

function readRelative(raw: string, base: URL | undefined): UrlVerdict {
  if (/^[a-z][a-z0-9+.-]*:/iu.test(raw) || base === undefined)
    return block('it must be http or https, written as https://host/path');
  const url = parse(raw, base);
  return url === undefined ? block('it is no valid URL') : { kind: 'ok', url };
}

function parse(raw: string, base: URL | undefined): URL | undefined {
  return URL.canParse(raw, base?.href) ? new URL(raw, base) : undefined;
}

/** Octal, hexadecimal, short or full-width IPv4: other programs read other addresses there. */
function isRewrittenAddress(authority: string, { hostname }: URL): boolean {
  const isIPv4 = /^[\d.]+$/u.test(hostname);
  return isIPv4 && authority.replace(/:\d*$/u, '') !== hostname;
}

function judgeHost(url: URL): string | undefined {
  const literal = literalOf(url);
  if (literal === undefined) return judgeHostName(url.hostname);
  const verdict = judgeAddress(literal);
  return verdict.kind === 'public' ? undefined : verdict.reason;
}

/** The IP address that an URL names itself; undefined where it has a name. */
export function literalOf({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^[\d.]+$/u.test(hostname) ? hostname : undefined;
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function block(reason: string): UrlVerdict {
  return { kind: 'block', reason };
}
