// Threat: an address that a person, this guard and the network stack read differently. Control characters are dropped by
// some parsers, a backslash or an @ moves the host, and 0177.1 is 127.0.0.1 to some. So whatever can be read in two ways is refused
// before it is parsed, and what the parser made of it is judged, never the text.
import { judgeAddress } from './judgeAddress.ts';
import { judgeHostName } from './judgeHostName.ts';

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

// Threat: a request line that a mail server, a database or a cache takes for commands.

/** Ports above 1023 of services that speak no HTTP or give a caller control: those of the Fetch standard, data stores, remote control. */
const closedPorts = new Set([
  // Fetch standard, bad ports
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
  // Databases, caches and queues
  1433, 1434, 1521, 1883, 2181, 2424, 3306, 4222, 5432, 5433, 5672, 5984, 6379, 6380, 7000, 7001, 7199, 7474,
  7687, 8086, 9042, 9092, 9160, 9200, 9300, 11211, 11214, 11215, 15672, 26257, 27017, 27018, 27019, 28017,

  // Containers, clusters and remote control
  2375, 2376, 2377, 2379, 2380, 3389, 4243, 5900, 5901, 5985, 5986, 6443, 8500, 8600, 9229, 10250, 10255,
  10256,
]);

/** Why a port may not be used; undefined where it may. Of the ports below 1024 only the web's two are open. Pure. */
function judgePort(port: number): string | undefined {
  if (port === 80 || port === 443) return undefined;
  if (port < 1024) return `port ${port} is no port of the web`;
  return closedPorts.has(port) ? `port ${port} belongs to another kind of service` : undefined;
}
