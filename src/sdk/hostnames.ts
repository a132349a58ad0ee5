import { normalizeUniqueStringEntries } from './channelText.ts';

/** Hosts with all below them, as their endings: lower case, each once; `*` alone where any is allowed. */
export function normalizeHostnameSuffixAllowlist(
  list?: readonly string[],
  byDefault: readonly string[] = [],
): string[] {
  const given = list !== undefined && list.length > 0 ? list : byDefault;
  const hosts = normalizeUniqueStringEntries(
    given.map((host) =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\*?\.+/u, ''),
    ),
  );
  return hosts.includes('*') ? ['*'] : hosts;
}

/** Which hosts a fetch may ask; undefined without a limit. */
export function buildHostnameAllowlistPolicyFromSuffixAllowlist(
  list?: readonly string[],
): { readonly hostnameAllowlist: string[] } | undefined {
  const hosts = normalizeHostnameSuffixAllowlist(list);
  if (hosts.length === 0 || hosts.includes('*')) return undefined;
  return { hostnameAllowlist: hosts.flatMap((host) => [host, `*.${host}`]) };
}

/** True where the URL is https and its host is on the list. */
export function isHttpsUrlAllowedByHostnameSuffixAllowlist(url: string, list: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const hosts = normalizeHostnameSuffixAllowlist(list);
  const isListed = hosts.some((host) => host === '*' || hostname === host || hostname.endsWith(`.${host}`));
  return protocol === 'https:' && isListed;
}

/** Hosts that widgets may load code from: none, since nothing here shows a widget. */
export const WIDGET_CDN_ORIGINS: readonly string[] = [];
