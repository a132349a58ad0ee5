// Threat: an agent file of the workspace names the server. What the machine's environment holds for other servers (PGPASSWORD,
// .pgpass, PGHOST and their like) must not reach it, so an address counts as it stands and nothing is added to it. Its password
// must not get into a text: a broken address is never quoted.
import { invalidAddress } from './storageErrors.ts';

/** Where a server is, and as whom to go there. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** What stands behind the host, without the slash. */
  readonly path: string;
  /** The scheme, without the colon. */
  readonly scheme: string;
  readonly params: ReadonlyMap<string, string>;
}

export interface AddressRule {
  /** As a person names it: `PostgreSQL`. */
  readonly backend: string;
  readonly schemes: readonly string[];
  readonly defaultPort: number;
}

/** The parts of an address. Pure. @throws PincerError `storage_invalid_address`, without the address */
export function readServerAddress(url: string, rule: AddressRule): ServerAddress {
  const [scheme = ''] = rule.schemes;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) throw invalidAddress(rule.backend, `is not a URL like ${scheme}://host/name`);
  const said = parsed.protocol.slice(0, -1);
  if (!rule.schemes.includes(said))
    throw invalidAddress(rule.backend, `begins with ${said}:, not with ${scheme}:`);
  if (parsed.hostname === '') throw invalidAddress(rule.backend, 'names no host');
  const decoded = (text: string): string => decode(rule, text);
  return {
    scheme: said,
    // An IPv6 address stands in brackets in a URL only.
    host: decoded(parsed.hostname).replace(/^\[(.*)\]$/u, '$1'),
    port: parsed.port === '' ? rule.defaultPort : Number(parsed.port),
    user: parsed.username === '' ? undefined : decoded(parsed.username),
    password: parsed.password === '' ? undefined : decoded(parsed.password),
    path: decoded(parsed.pathname.slice(1)),
    params: new Map(parsed.searchParams),
  };
}

function decode(rule: AddressRule, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidAddress(rule.backend, 'has a % in it that stands for nothing (write it as %25)');
  }
}

/** How errors name a server: `PostgreSQL at db.example:5432`. */
export function placeOf({ backend }: AddressRule, { host, port }: ServerAddress): string {
  return `${backend} at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The text of a driver's error without the password, whatever the driver put into it. */
export function withoutPassword(text: string, { password }: ServerAddress): string {
  return password === undefined ? text : text.replaceAll(password, '***');
}
