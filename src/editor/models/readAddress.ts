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

/** On this machine or in its network: names without a dot are no public ones. */
function isNear(host: string): boolean {
  const address = host.replace(/^\[|\]$/gu, '');
  return isLoopback(host) || judgeAddress(address).kind === 'local' || !/[.:]/u.test(address);
}
