import { describe, expect, it } from 'vitest';
import { proxyFor, readProxySettings } from './proxySettings.ts';

function proxyOf(env: Record<string, string>, url: string): string | undefined {
  return proxyFor(readProxySettings(env), new URL(url))?.value;
}

describe('proxyFor', () => {
  it('takes the proxy of the scheme, in either case, else ALL_PROXY', () => {
    expect(proxyOf({ HTTPS_PROXY: 'http://p:1' }, 'https://a.example/')).toBe('http://p:1');
    expect(proxyOf({ HTTPS_PROXY: 'http://p:1' }, 'http://a.example/')).toBeUndefined();
    expect(proxyOf({ http_proxy: 'http://p:2' }, 'http://a.example/')).toBe('http://p:2');
    expect(proxyOf({ ALL_PROXY: 'http://p:3' }, 'https://a.example/')).toBe('http://p:3');
    expect(proxyOf({ http_proxy: 'p:2' }, 'http://a.example/')).toBe('http://p:2');
    expect(proxyOf({ HTTPS_PROXY: ' ' }, 'https://a.example/')).toBeUndefined();
  });

  it.each([
    ['*', true],
    ['a.example', true],
    ['.example', true],
    ['*.example', true],
    ['example', true],
    ['b.example', false],
    ['xample', false],
    ['a.example:443', true],
    ['a.example:80', false],
    ['x.example, a.example', true],
  ])('NO_PROXY=%s covers a.example: %s', (none, isDirect) => {
    const proxy = proxyOf({ HTTPS_PROXY: 'http://p:1', NO_PROXY: none }, 'https://a.example/');
    expect(proxy === undefined).toBe(isDirect);
  });
});
