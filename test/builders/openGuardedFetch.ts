import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { Clock } from '../../src/host/ports.ts';
import {
  createGuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
} from '../../src/net/createGuardedFetch.ts';
import { readProxySettings } from '../../src/net/proxySettings.ts';
import {
  createLoopbackNetwork,
  startLoopbackServer,
  type FakeAnswers,
  type LoopbackNetwork,
} from './createLoopbackNetwork.ts';

export interface GuardedRequestInput extends Partial<GuardedRequest> {
  readonly answers?: FakeAnswers;
  readonly over?: Pick<LoopbackNetwork, 'network'>;
  readonly clock?: Clock;
  readonly env?: Record<string, string>;
  readonly allowProxy?: boolean;
}

export interface GuardedFetchWorld {
  /** What the server does; tests set it. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** What arrived at the server since `reset`. */
  readonly seen: IncomingMessage[];
  readonly port: number;
  /** An address of the server, under any name. */
  at(host: string, path?: string): string;
  fetch(url: string, wish?: GuardedRequestInput): Promise<GuardedResponse>;
  reset(): void;
  close(): Promise<void>;
}

/** The guarded fetch in front of one real server. */
export async function openGuardedFetch(): Promise<GuardedFetchWorld> {
  const server = await startLoopbackServer((request, response) => {
    world.seen.push(request);
    world.answer(request, response);
  });
  const world: GuardedFetchWorld = {
    answer: sayHello,
    seen: [],
    port: server.port,
    at: (host, path = '/') => `http://${host}:${server.port}${path}`,
    fetch: async (url, wish = {}) => {
      const { answers, over, clock = systemClock, env = {}, allowProxy = false, ...request } = wish;
      const { network } = over ?? createLoopbackNetwork(answers);
      const options = { proxies: readProxySettings(env), allowProxy };
      const guardedFetch = createGuardedFetch({ network, clock, options: () => options });
      return await guardedFetch({ url, signal: new AbortController().signal, maxBytes: 1_000, ...request });
    },
    reset() {
      world.answer = sayHello;
      world.seen.length = 0;
    },
    close: async () => await server.close(),
  };
  return world;
}

function sayHello(_request: IncomingMessage, response: ServerResponse): void {
  response.end('hello');
}

export function textOf({ bytes }: GuardedResponse): string {
  return new TextDecoder().decode(bytes);
}
