import { invalidAddress } from '../storageErrors.ts';
import { readServerAddress, type AddressRule, type ServerAddress } from '../serverAddress.ts';

export const redisRule: AddressRule = { backend: 'Redis', schemes: ['redis', 'rediss'], defaultPort: 6_379 };

export interface RedisAddress extends ServerAddress {
  readonly database: number;
  readonly tls: boolean;
}

/**
 * `redis://user:password@host:port/0`, or `rediss:` for TLS. Pure.
 * @throws PincerError `storage_invalid_address`
 */
export function readRedisAddress(url: string): RedisAddress {
  const address = readServerAddress(url, redisRule);
  if (!/^\d{0,4}$/u.test(address.path))
    throw invalidAddress(redisRule.backend, 'names a database that is no number');
  for (const name of address.params.keys())
    throw invalidAddress(redisRule.backend, `has the parameter ${name}; none is known`);
  return { ...address, database: Number(address.path), tls: address.scheme === 'rediss' };
}
