import { describe, expect, it } from 'vitest';
import { readPostgresAddress } from './postgres/readPostgresAddress.ts';
import { readRedisAddress } from './redis/readRedisAddress.ts';
import { placeOf, withoutPassword } from './serverAddress.ts';

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was not refused.');
}

describe('the address of a server', () => {
  it('counts part by part, decoded', () => {
    expect(readPostgresAddress('postgresql://a%40b:p%25%20w@db.example:6543/my%20db')).toMatchObject({
      host: 'db.example',
      port: 6_543,
      user: 'a@b',
      password: 'p% w',
      path: 'my db',
      tls: false,
    });
    expect(readRedisAddress('rediss://:pw@[::1]/3')).toMatchObject({
      host: '::1',
      port: 6_379,
      user: undefined,
      password: 'pw',
      database: 3,
      tls: true,
    });
    expect(readRedisAddress('redis://h')).toMatchObject({ database: 0, tls: false, password: undefined });
  });

  it('takes who a server is for certain where it asks for TLS, unless it says otherwise', () => {
    const tlsOf = (mode: string): unknown => readPostgresAddress(`postgres://u@h/d?sslmode=${mode}`).tls;
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(tlsOf(mode)).toEqual({ rejectUnauthorized: true });
    expect(tlsOf('no-verify')).toEqual({ rejectUnauthorized: false });
    expect(tlsOf('disable')).toBe(false);
  });

  it.each([
    ['not a URL hunter2', 'is not a URL'],
    ['mysql://u:hunter2@h/d', 'begins with mysql:'],
    ['postgres://u:hunter2@/d', 'is not a URL'],
    ['postgres:///d?password=hunter2', 'names no host'],
    ['postgres://u:hunter2%zz@h/d', 'has a %'],
    ['postgres://:hunter2@h/d', 'names no user'],
    ['postgres://u:hunter2@h', 'names no database'],
    ['postgres://u:hunter2@h/d?sslmode=maybe', 'sslmode other than'],
    ['postgres://u:hunter2@h/d?sslkey=/etc/passwd', 'parameter sslkey'],
  ])('%s is refused, and not quoted', (url, why) => {
    const failed = errorOf(() => readPostgresAddress(url));
    expect(failed).toMatchObject({ code: 'storage_invalid_address' });
    expect(failed.message).toContain(why);
    expect(failed.message).not.toContain('hunter2');
    expect(failed.cause).toBeUndefined();
  });

  it.each([['redis://h/name'], ['redis://h/0?tls=no'], ['http://h']])('%s is none of Redis', (url) => {
    expect(() => readRedisAddress(url)).toThrow(expect.objectContaining({ code: 'storage_invalid_address' }));
  });

  it('is shown as host and port, and its password taken out of texts', () => {
    const address = readPostgresAddress('postgres://u:hunter2@[::1]/d');
    expect(placeOf({ backend: 'PostgreSQL', schemes: [], defaultPort: 1 }, address)).toBe(
      'PostgreSQL at [::1]:5432',
    );
    expect(withoutPassword('no hunter2, hunter2', address)).toBe('no ***, ***');
  });
});
