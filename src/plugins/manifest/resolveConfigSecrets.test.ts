import { describe, expect, it } from 'vitest';
import { createConfigRedactor } from './createConfigRedactor.ts';
import { findPlainSecrets } from './findPlainSecrets.ts';
import { resolveConfigSecrets, type SecretContext } from './resolveConfigSecrets.ts';

const sources: SecretContext['sources'] = {
  env: { KEY: 'from env', EMPTY: '' },
  secrets: {
    get: (name) => (name === 'broken' ? Promise.reject(new Error('locked')) : Promise.resolve(undefined)),
  },
};
const resolve = (config: unknown, change: Partial<SecretContext> = {}) =>
  resolveConfigSecrets(config, { sources, schema: {}, mayResolve: true, ...change });

describe('resolveConfigSecrets', () => {
  it('replaces references wherever they stand and leaves its input alone', async () => {
    const config = { a: [{ b: { env: 'KEY' } }], c: { env: 'KEY', more: 1 } };
    expect(await resolve(config)).toEqual({
      ok: true,
      config: { a: [{ b: 'from env' }], c: { env: 'KEY', more: 1 } },
      values: ['from env'],
    });
    expect(config.a[0]).toEqual({ b: { env: 'KEY' } });
  });

  it.each([
    [{ a: { env: 'EMPTY' } }, 'a: environment variable EMPTY is not set'],
    [{ a: { env: 'toString' } }, 'a: environment variable toString is not set'],
    [{ a: { secret: 'broken' } }, 'a: secret "broken" could not be read: locked'],
    [{ env: 'NONE' }, '<root>: environment variable NONE is not set'],
  ])('names what is missing in %j', async (config, problem) => {
    expect(await resolve(config)).toEqual({ ok: false, problems: [problem] });
  });

  it('keeps a field named __proto__ a field', async () => {
    const resolved = await resolve(JSON.parse('{ "__proto__": { "env": "KEY" } }'));
    expect(resolved.ok && Object.getPrototypeOf(resolved.config)).toBe(Object.prototype);
  });
});

describe('findPlainSecrets', () => {
  it('follows paths, with * for any key', () => {
    const hints = { key: { sensitive: true }, 'server.*.token': { sensitive: true }, other: { label: 'x' } };
    const config = { key: 'a', server: { one: { token: 'b' }, two: { token: { env: 'X' } } }, other: 'c' };
    expect(findPlainSecrets(hints, config)).toEqual([
      { path: 'key', value: 'a' },
      { path: 'server.one.token', value: 'b' },
    ]);
  });
});

describe('what takes secrets of the config out of texts', () => {
  it('takes secrets out as they are, in JSON and in URLs; longer ones first', () => {
    const redact = createConfigRedactor(['pa"ss word', 'pa"ss word too', 'short']);
    expect(redact('pa"ss word too, pa"ss word')).toBe('[key removed], [key removed]');
    expect(redact(JSON.stringify({ a: 'pa"ss word' }))).toBe('{"a":"[key removed]"}');
    expect(redact('?k=pa%22ss%20word')).toBe('?k=[key removed]');
    expect(redact('short')).toBe('short');
  });
});
