import { invalidAddress } from '../storageErrors.ts';
import { readServerAddress, type AddressRule, type ServerAddress } from '../serverAddress.ts';

export const postgresRule: AddressRule = {
  backend: 'PostgreSQL',
  schemes: ['postgres', 'postgresql'],
  defaultPort: 5_432,
};

interface PostgresAddress extends ServerAddress {
  /** Whether it speaks TLS, and whether it asks who the server is. */
  readonly tls: false | { readonly rejectUnauthorized: boolean };
}

const tlsModes: Readonly<Record<string, PostgresAddress['tls']>> = {
  disable: false,
  require: { rejectUnauthorized: true },
  'verify-ca': { rejectUnauthorized: true },
  'verify-full': { rejectUnauthorized: true },
  'no-verify': { rejectUnauthorized: false },
};

/**
 * `postgres://user:password@host:port/database?sslmode=…`. Pure. Without `sslmode` it goes without TLS.
 * @throws PincerError `storage_invalid_address`
 */
export function readPostgresAddress(url: string): PostgresAddress {
  const address = readServerAddress(url, postgresRule);
  if (address.user === undefined) throw invalidAddress(postgresRule.backend, 'names no user');
  if (address.path === '') throw invalidAddress(postgresRule.backend, 'names no database');
  for (const name of address.params.keys()) {
    if (name !== 'sslmode')
      throw invalidAddress(postgresRule.backend, `has the parameter ${name}; only sslmode is known`);
  }
  const tls = tlsModes[address.params.get('sslmode') ?? 'disable'];
  if (tls === undefined)
    throw invalidAddress(
      postgresRule.backend,
      `has an sslmode other than ${Object.keys(tlsModes).join(', ')}`,
    );
  return { ...address, tls };
}
