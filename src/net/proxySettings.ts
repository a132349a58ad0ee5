import { plainName } from './judgeHostName.ts';
import { literalOf, portOf } from './judgeUrl.ts';

/** What the environment says about proxies. */
export interface ProxySettings {
  readonly http: ProxyVariable | undefined;
  readonly https: ProxyVariable | undefined;
  /** Hosts that are reached directly. */
  readonly none: readonly string[];
}

interface ProxyVariable {
  readonly name: string;
  /** The URL; as many write it, `proxy:3128` means http. */
  readonly value: string;
}

/** HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in either case. Pure. */
export function readProxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const first = (...names: readonly string[]): ProxyVariable | undefined =>
    names
      .flatMap((name) => [name.toLowerCase(), name])
      .map((name) => ({ name, value: env[name]?.trim() ?? '' }))
      .find(({ value }) => value !== '');
  return {
    http: asUrl(first('HTTP_PROXY', 'ALL_PROXY')),
    https: asUrl(first('HTTPS_PROXY', 'ALL_PROXY')),
    none: (first('NO_PROXY')?.value ?? '').split(/[\s,]+/u).filter((each) => each !== ''),
  };
}

function asUrl(variable: ProxyVariable | undefined): ProxyVariable | undefined {
  if (variable === undefined || variable.value.includes('://')) return variable;
  return { ...variable, value: `http://${variable.value}` };
}

/** The proxy that a request would go through; undefined where it goes directly. Pure. */
export function proxyFor(settings: ProxySettings, url: URL): ProxyVariable | undefined {
  const proxy = url.protocol === 'https:' ? settings.https : settings.http;
  return settings.none.some((entry) => covers(entry, url)) ? undefined : proxy;
}

/** `*`, `example.com` (with all below), `.example.com`, each with or without a port. */
function covers(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/u.exec(entry) ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  const host = literalOf(url) ?? plainName(url.hostname);
  const domain = plainName(name.replace(/^\*?\./u, ''));
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}
