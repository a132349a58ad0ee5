import { Readable } from 'node:stream';
import { z } from 'zod';
import { PincerError } from '../../src/base/errors.ts';
import type { Network, PinnedRequest } from '../../src/host/network.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createGuardedFetch } from '../../src/net/createGuardedFetch.ts';
import { readProxySettings } from '../../src/net/proxySettings.ts';
import type { HostileCase, Verdict } from './hostileCase.ts';

/** One look-up after the other; text is one answer, and null is none. */
const answers = z
  .union([z.array(z.union([z.string(), z.array(z.string())])), z.string(), z.null()])
  .transform((known) => (typeof known === 'string' ? [known] : (known ?? [])));
const shape = z.looseObject({
  input: z.string(),
  dns: z.union([answers, z.record(z.string(), answers)]).optional(),
  redirects: z.array(z.string()).default([]),
  mustConnectTo: z.string().optional(),
  mustDropHeaders: z.array(z.string()).default([]),
});
type SsrfCase = z.infer<typeof shape>;

const publicAddress = '93.184.216.34';

/** Sends a case through the guarded fetch, over a network that answers look-ups and redirects as the case says. */
export async function judge(testCase: HostileCase): Promise<Verdict> {
  const ssrf = shape.parse(testCase);
  const sent: PinnedRequest[] = [];
  const guardedFetch = createGuardedFetch({
    network: createFakeNetwork(ssrf, sent),
    clock: systemClock,
    options: () => ({ proxies: readProxySettings({}), allowProxy: false }),
  });
  try {
    const headers = Object.fromEntries(ssrf.mustDropHeaders.map((name) => [name, 'secret']));
    await guardedFetch({ url: ssrf.input, headers, signal: new AbortController().signal, maxBytes: 1_000 });
  } catch (error) {
    if (error instanceof PincerError && error.code.startsWith('net_')) return 'block';
    throw error;
  }
  return isAsDemanded(ssrf, sent) ? 'allow' : 'block';
}

/** What must hold of the requests that were sent. */
function isAsDemanded({ mustConnectTo, mustDropHeaders }: SsrfCase, sent: readonly PinnedRequest[]): boolean {
  const origin = new URL(sent[0]?.url ?? '').origin;
  return sent.every(({ url, route, headers }) => {
    const isPinned =
      mustConnectTo === undefined || (route.kind === 'address' && route.address === mustConnectTo);
    const isElsewhere = new URL(url).origin !== origin;
    return isPinned && !(isElsewhere && mustDropHeaders.some((name) => name.toLowerCase() in headers));
  });
}

function createFakeNetwork({ dns, redirects }: SsrfCase, sent: PinnedRequest[]): Network {
  const lookups = new Map<string, number>();
  return {
    lookup: (host) => {
      const count = lookups.get(host) ?? 0;
      lookups.set(host, count + 1);
      const known = Array.isArray(dns) || dns === undefined ? dns : dns[host];
      return Promise.resolve(answerOf(known, count));
    },
    send: (request) => {
      const location = redirects[sent.length];
      sent.push(request);
      return Promise.resolve({
        status: location === undefined ? 200 : 302,
        header: (name) => (name === 'location' ? location : undefined),
        body: Readable.from([]),
        close: () => undefined,
      });
    },
  };
}

/** Nested answers are those of successive look-ups; the last one stays. */
function answerOf(known: z.infer<typeof answers> | undefined, count: number): readonly string[] {
  if (known === undefined) return [publicAddress];
  const nested = known.filter((each) => Array.isArray(each));
  if (nested.length === 0) return known.filter((each) => typeof each === 'string');
  return nested[Math.min(count, nested.length - 1)] ?? [];
}
