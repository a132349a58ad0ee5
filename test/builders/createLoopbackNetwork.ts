import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeNetwork } from '../../src/host/node/nodeNetwork.ts';
import type { Network, PinnedRequest } from '../../src/host/network.ts';

/** The one public address behind which the loopback servers stand. */
export const publicAddress = '93.184.216.34';

/** Answers by host; nested ones are those of successive look-ups, and the last stays. */
export type FakeAnswers = Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>;

export interface LoopbackNetwork {
  readonly network: Network;
  /** What was sent, with the address to which it was to go. */
  readonly sent: readonly PinnedRequest[];
}

/**
 * A real network but for two things: names are looked up in `answers`, where every other host is `publicAddress`, and a
 * connection to `publicAddress` goes to 127.0.0.1. The guard sees what it would see outside.
 */
export function createLoopbackNetwork(
  answers: FakeAnswers = {},
  real = createNodeNetwork(),
): LoopbackNetwork {
  const sent: PinnedRequest[] = [];
  const lookups = new Map<string, number>();
  return {
    sent,
    network: {
      lookup: (host) => {
        const known = answers[host] ?? [publicAddress];
        const count = lookups.get(host) ?? 0;
        lookups.set(host, count + 1);
        const nested = known.filter((each) => typeof each !== 'string');
        const flat = known.filter((each) => typeof each === 'string');
        return Promise.resolve(
          nested.length === 0 ? flat : (nested[Math.min(count, nested.length - 1)] ?? []),
        );
      },
      send: async (request) => {
        sent.push(request);
        const { route } = request;
        const isMapped = route.kind === 'address' && route.address === publicAddress;
        return await real.send(
          isMapped ? { ...request, route: { ...route, address: '127.0.0.1' } } : request,
        );
      },
    },
  };
}

export interface LoopbackServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function startLoopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  return await listen(createServer(listener));
}

/** Lets any server listen on a free port; closing it ends its connections. */
export async function listen(server: Server): Promise<LoopbackServer> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
