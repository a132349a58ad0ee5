import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../gatewayToken.ts';
import { plainPath } from '../plainPath.ts';
import { callerOf, isOpenPath, judgeCaller, judgeNames } from './judgeRequest.ts';

const ours = { port: 18789, allowedHosts: ['desk.example', 'other.example:8443'] };
const token = 'a'.repeat(43);

describe('the names of a request', () => {
  it.each([
    ['127.0.0.1:18789', undefined, undefined],
    ['LOCALHOST:18789', 'http://localhost:18789', undefined],
    ['[::1]:18789', undefined, undefined],
    ['desk.example', 'https://desk.example', undefined],
    ['desk.example:9000', undefined, undefined],
    ['other.example:8443', undefined, undefined],
    ['other.example', undefined, 421],
    ['127.0.0.1', undefined, 421],
    ['127.0.0.1:1', undefined, 421],
    [undefined, undefined, 421],
    ['desk.example.evil', undefined, 421],
    ['localhost:18789', 'https://localhost:18789', 403],
    ['localhost:18789', 'http://127.0.0.1:18789', 403],
    ['localhost:18789', 'null', 403],
    ['localhost:18789', '', 403],
  ])('%s with origin %s: %s', (host, origin, status) => {
    expect(judgeNames({ host, origin }, ours)?.status).toBe(status);
  });

  it.each([
    ['cross-site', 'image', 403],
    ['cross-site', 'iframe', 403],
    ['same-site', 'empty', 403],
    ['cross-site', undefined, 403],
    ['cross-site', 'document', undefined],
    ['same-origin', 'script', undefined],
    ['none', 'document', undefined],
    [undefined, undefined, undefined],
  ])('without an origin from %s for %s: %s', (site, destination, status) => {
    const names = { host: 'localhost:18789', origin: undefined, site, destination };
    expect(judgeNames(names, ours)?.status).toBe(status);
  });
});

describe('the token', () => {
  const parts = { tokenDigest: digestOf(token), mcpTokenDigest: digestOf('b'.repeat(43)) };
  it('must be the whole of it, behind Bearer', () => {
    expect(callerOf(`Bearer ${token}`, parts)).toBe('owner');
    expect(callerOf(`bearer  ${token} `, parts)).toBe('owner');
    expect(callerOf(`Bearer ${'b'.repeat(43)}`, parts)).toBe('mcp');
    for (const wrong of [
      undefined,
      '',
      token,
      `Bearer ${token}a`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
    ])
      expect(callerOf(wrong, parts)).toBe('unknown');
  });

  it('of MCP clients is nobody’s where there is none', () => {
    const none = { ...parts, mcpTokenDigest: undefined };
    for (const each of ['b'.repeat(43), '', 'undefined'])
      expect(callerOf(`Bearer ${each}`, none)).toBe('unknown');
  });

  it('of MCP clients is good for /mcp alone, and there no other is', () => {
    const status = (
      caller: Parameters<typeof judgeCaller>[0],
      url: string,
      isOpen = false,
    ): number | undefined => judgeCaller(caller, url, isOpen)?.status;
    for (const url of ['/mcp', '/mcp/', '/mcp?x=1', '/%6dcp'])
      expect([status('mcp', url), status('owner', url), status('unknown', url, true)]).toEqual([
        undefined,
        403,
        401,
      ]);
    for (const url of ['/', '/mcp/x', '/x/../mcp', '//mcp', '/MCP', '/v1/models'])
      expect([status('mcp', url), status('owner', url), status('unknown', url)]).toEqual([
        403,
        undefined,
        401,
      ]);
    expect(status('mcp', '/open', true)).toBeUndefined();
  });
});

describe('the paths that anybody may ask for', () => {
  const paths = [
    { path: '/hooks/a', match: 'exact' },
    { path: '/open', match: 'prefix' },
  ] as const;
  it('are those of the list and, behind a prefix, what lies below', () => {
    for (const open of ['/hooks/a', '/hooks/a?x=1', '/hooks/a/', '/open', '/open/b/c', '/%6Fpen/b'])
      expect(isOpenPath(open, paths)).toBe(true);
    for (const shut of ['/hooks', '/hooks/a/b', '/hooks/ab', '/opened', '/', '/OPEN'])
      expect(isOpenPath(shut, paths)).toBe(false);
  });

  it('are none that could be read in another way', () => {
    for (const odd of [
      '/open/../v1',
      '/open/%2e%2e/v1',
      '/open/%2E./v1',
      '/open%2f..%2fv1',
      '/open\\..\\v1',
      '//open',
      '/open//x',
      '/open/%252e',
      '/open/%00',
      '/%',
      'open',
      'http://x/open',
    ])
      expect(isOpenPath(odd, paths)).toBe(false);
  });

  it('never leave their prefix, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (rest) => {
        const url = `/open/${rest}`;
        if (!isOpenPath(url, paths)) return;
        const path = plainPath(url) ?? '';
        // As a URL parser of a handler reads it.
        expect(new URL(url, 'http://localhost').pathname.startsWith('/open')).toBe(true);
        expect(path === '/open' || path.startsWith('/open/')).toBe(true);
      }),
    );
  });
});
