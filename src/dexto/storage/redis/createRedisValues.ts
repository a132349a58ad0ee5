import { createClient } from '@redis/client';
import { PincerError } from '../../../base/errors.ts';
import type { Clock, Log } from '../../../host/ports.ts';
import type { ValueStore } from '../backends.ts';
import { causeText } from '../causeText.ts';
import { storageClosed, storageFailed, storageUnavailable } from '../storageErrors.ts';
import { placeOf, withoutPassword } from '../serverAddress.ts';
import { serverLimitMs, withinLimit } from '../withinLimit.ts';
import { readRedisAddress, redisRule, type RedisAddress } from './readRedisAddress.ts';

export interface RedisOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds. Default: `serverLimitMs`. */
  readonly limitMs?: number;
}

type Client = ReturnType<typeof clientOf>;

/** A cache in Redis, which any number of processes share. It connects with the first use, and again after the server was away. */
export function createRedisValues({ url, clock, log, limitMs = serverLimitMs }: RedisOptions): ValueStore {
  const address = readRedisAddress(url);
  const place = placeOf(redisRule, address);
  let current: { readonly client: Client; readonly ready: Promise<unknown> } | undefined;
  let isClosed = false;

  const drop = (client: Client): void => {
    if (current?.client === client) current = undefined;
    client.destroy();
  };
  const connect = (): NonNullable<typeof current> => {
    const client = clientOf(address, limitMs);
    // Without a listener the loss of the connection would end the process.
    client.on('error', (error: unknown) => {
      log.write('debug', `${place}: ${withoutPassword(causeText(error), address)}`);
    });
    current = { client, ready: client.connect() };
    return current;
  };
  const attempt = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const { client, ready } = current ?? connect();
    try {
      await withinLimit(ready, { place, limitMs, clock });
      return await withinLimit(work(client), { place, limitMs, clock });
    } catch (error) {
      // An answer of the server leaves the connection as it was.
      if (!isAnswer(error)) drop(client);
      throw error;
    }
  };
  const use = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    if (isClosed) throw storageClosed();
    const wasConnected = current?.client.isReady === true;
    try {
      return await attempt(work).catch((error: unknown) => {
        // The connection may have died while nobody used it. Everything that is asked for here may be asked for twice.
        if (!wasConnected || isAnswer(error) || error instanceof PincerError) throw error;
        return attempt(work);
      });
    } catch (error) {
      if (error instanceof PincerError) throw error;
      const text = withoutPassword(causeText(error), address);
      throw isAnswer(error) && !isRefusal(error)
        ? storageFailed(place, text)
        : storageUnavailable(place, text);
    }
  };
  return {
    type: 'redis',
    isConnected: () => current?.client.isReady === true,
    async get(scope, key) {
      return (await use((client) => client.get(nameOf(scope, key)))) ?? undefined;
    },
    async set(scope, key, json, ttlMs) {
      const options = ttlMs === undefined ? {} : { expiration: { type: 'PX', value: ttlMs } as const };
      await use((client) => client.set(nameOf(scope, key), json, options));
    },
    async delete(scope, key) {
      await use((client) => client.del(nameOf(scope, key)));
    },
    async close() {
      isClosed = true;
      const last = current;
      current = undefined;
      if (last === undefined) return;
      // What was asked for is still answered; a server that does not answer is not waited for.
      await withinLimit(last.client.isReady ? last.client.close() : Promise.resolve(), {
        place,
        limitMs,
        clock,
      }).finally(() => last.client.destroy());
    },
  };
}

function clientOf(address: RedisAddress, limitMs: number) {
  const { host, port, user, password, database } = address;
  const socket = { host, port, connectTimeout: limitMs, reconnectStrategy: false as const };
  return createClient({
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    database,
    socket: address.tls ? { ...socket, tls: true as const } : socket,
    disableOfflineQueue: true,
  });
}

/** The scope's length stands first: else the end of a scope could be taken for the beginning of a key. */
function nameOf(scope: string, key: string): string {
  return `pincer:dexto:${scope.length}:${scope}:${key}`;
}

/** Whether Redis itself said so: the texts of its errors begin with a word in capitals. */
function isAnswer(error: unknown): boolean {
  return /^[A-Z]{3,} /u.test(causeText(error));
}

function isRefusal(error: unknown): boolean {
  return /^(?:WRONGPASS|NOAUTH|NOPERM|LOADING|MASTERDOWN) /u.test(causeText(error));
}
