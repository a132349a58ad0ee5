import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  assertHttpUrlTargetsPrivateNetwork,
  fetchWithSsrFGuard,
  ssrfPolicyFromPrivateNetworkOptIn,
  isBlockedHostnameOrIp,
  resolvePinnedHostnameWithPolicy,
  SsrFBlockedError,
} from './ssrf.ts';

async function serve(answer: (request: IncomingMessage) => { status: number; location?: string }) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const { status, location } = answer(request);
    response.writeHead(status, location === undefined ? {} : { location }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return { seen, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

const policy = { allowPrivateNetwork: true };
const at = (address: string) => () => Promise.resolve([{ address }]);

describe('hosts', () => {
  it('of this machine and its networks are blocked, by name and address, unless the policy allows them', () => {
    for (const host of [
      'localhost',
      'LOCALHOST.',
      'nas.local',
      '127.0.0.1',
      '[::1]',
      '10.0.0.8',
      '169.254.169.254',
    ])
      expect(isBlockedHostnameOrIp(host), host).toBe(true);
    for (const host of ['one.example', '93.184.216.34', '[2606:2800:220:1::1]'])
      expect(isBlockedHostnameOrIp(host), host).toBe(false);
    expect(isBlockedHostnameOrIp('localhost', policy)).toBe(false);
  });

  it('are judged by all of their addresses; a metadata service is never allowed', async () => {
    await expect(
      resolvePinnedHostnameWithPolicy('one.example', { lookupFn: at('10.0.0.8') }),
    ).rejects.toThrow(SsrFBlockedError);
    await expect(
      resolvePinnedHostnameWithPolicy('one.example', { lookupFn: at('10.0.0.8'), policy }),
    ).resolves.toEqual({ hostname: 'one.example', addresses: ['10.0.0.8'] });
    await expect(
      resolvePinnedHostnameWithPolicy('one.example', { lookupFn: at('169.254.169.254'), policy }),
    ).rejects.toThrow(SsrFBlockedError);
    await expect(
      resolvePinnedHostnameWithPolicy('two.example', { policy: { hostnameAllowlist: ['*.one.example'] } }),
    ).rejects.toThrow('not in allowlist');
  });

  it('without TLS have to be in a private network', async () => {
    const options = { dangerouslyAllowPrivateNetwork: true, errorMessage: 'Use https.' };
    const ask = (address: string) =>
      assertHttpUrlTargetsPrivateNetwork('http://one.example/', { ...options, lookupFn: at(address) });
    await ask('192.168.1.4');
    await expect(ask('93.184.216.34')).rejects.toThrow('Use https.');
  });
});

describe('a guarded fetch', () => {
  it('reaches no private address, not even by a redirect', async () => {
    const inner = await serve(() => ({ status: 200 }));
    await expect(fetchWithSsrFGuard({ url: inner.url })).rejects.toThrow(SsrFBlockedError);
    const outer = await serve(() => ({ status: 302, location: 'http://169.254.169.254/latest' }));
    await expect(fetchWithSsrFGuard({ url: outer.url, policy })).rejects.toThrow(SsrFBlockedError);
    expect(inner.seen).toEqual([]);
  });

  it('takes no key along to another origin', async () => {
    const other = await serve(() => ({ status: 200 }));
    const first = await serve(() => ({ status: 307, location: `${other.url}/there` }));
    const init = {
      method: 'POST',
      body: 'secret',
      headers: { authorization: 'Bearer key', accept: 'text/plain' },
    };
    const { response, finalUrl, release } = await fetchWithSsrFGuard({ url: first.url, policy, init });
    expect([response.status, finalUrl]).toEqual([200, `${other.url}/there`]);
    await release();
    expect(first.seen[0]?.headers).toMatchObject({ authorization: 'Bearer key' });
    expect(other.seen[0]?.method).toBe('GET');
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(other.seen[0]?.headers).toMatchObject({ accept: 'text/plain' });
  });

  it('ends a chain of redirects', async () => {
    const server = await serve(() => ({ status: 302, location: '/again' }));
    await expect(fetchWithSsrFGuard({ url: server.url, policy })).rejects.toThrow(
      'Too many redirects (limit: 3)',
    );
    expect(server.seen).toHaveLength(4);
  });
});

it('private networks are allowed by the settings of a channel alone, and only where they say it', () => {
  const yes = { allowPrivateNetwork: true };
  const settings = { network: { dangerouslyAllowPrivateNetwork: true } };
  expect(ssrfPolicyFromPrivateNetworkOptIn(settings)).toEqual(yes);
  expect(ssrfPolicyFromPrivateNetworkOptIn({ dangerouslyAllowPrivateNetwork: true })).toEqual(yes);
  for (const none of [undefined, null, false, {}, { network: { dangerouslyAllowPrivateNetwork: 'yes' } }])
    expect(ssrfPolicyFromPrivateNetworkOptIn(none)).toBeUndefined();
});
