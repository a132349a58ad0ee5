import { isLoopback } from '../../net/isLoopback.ts';
import { judgeAddress } from '../../net/judgeAddress.ts';

/**
 * The address of a server as it is typed: `localhost:8080/v1` means http, as does a server of this network; any other host without a
 * scheme is asked encrypted, since a key goes there. Undefined where it is none. Pure.
 */
export function readAddress(typed: string): string | undefined {
  const text = typed.trim();
  const named = /^[a-z][a-z\d+.-]*:\/\//iu.test(text);
  const host = URL.parse(`http://${text}`)?.hostname ?? '';
  const address = named ? text : `${isNear(host) ? 'http' : 'https'}://${text}`;
  const url = text === '' ? null : URL.parse(address);
  return url !== null && /^https?:$/u.test(url.protocol) ? address : undefined;
}

/**
 * The addresses that a typed one may mean, the likeliest first: a host alone is mostly short for its `/v1`. None where it is no
 * address. Pure.
 */
export function addressesOf(typed: string): readonly string[] {
  const address = readAddress(typed);
  if (address === undefined) return [];
  const { origin, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? [`${origin}/v1`, address] : [address];
}

/** On this machine or in its network: names without a dot are no public ones. */
function isNear(host: string): boolean {
  const address = host.replace(/^\[|\]$/gu, '');
  return isLoopback(host) || judgeAddress(address).kind === 'local' || !/[.:]/u.test(address);
}
