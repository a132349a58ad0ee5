import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorageWorld, type StorageWorld } from '../../../test/builders/openStorageWorld.ts';
import { startTestProxy } from '../../../test/builders/startTestProxy.ts';
import { redisServer } from '../../../test/builders/testServers.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import type { Cache } from '../dextoTypes.ts';
import { createInMemoryValues } from './inMemoryStorage.ts';
import type { CacheConfig } from '../agentFile/storageConfig.ts';
import type { Storage } from './createStorage.ts';

let world: StorageWorld;
beforeAll(async () => {
  world = await openStorageWorld();
});
afterAll(() => world.close());

const backends = [
  { type: 'in-memory', config: (): CacheConfig => ({ type: 'in-memory' }) },
  {
    type: 'redis',
    server: redisServer,
    config: (): CacheConfig => ({ type: 'redis', url: redisServer.url() }),
  },
];

describe.for(backends)('a cache of type $type', ({ type, config, server: needed }) => {
  const test = (
    name: string,
    work: (cache: Cache, storage: Storage, tenantId: string) => Promise<void>,
  ): void => {
    it.skipIf(needed?.isMissing === true)(needed?.titled(name) ?? name, async () => {
      const storage = world.open({ cache: config() });
      const tenantId = `test ${randomUUID()}`;
      await work(storage.forTenant({ tenantId }).cache, storage, tenantId);
    });
  };

  test('gives back what was set, as a copy', async (cache) => {
    const value = { text: 'nul \0, 😀', list: [1, null] };
    await cache.set('k:%*', value);
    value.list.push(2);
    expect(await cache.get('k:%*')).toEqual({ text: 'nul \0, 😀', list: [1, null] });
    expect(await cache.get('k:%')).toBeUndefined();
    await cache.delete('k:%*');
    await cache.delete('k:%*');
    expect(await cache.get('k:%*')).toBeUndefined();
    expect(cache.isConnected()).toBe(true);
    expect(cache.getStoreType()).toBe(type);
  });

  test('forgets a value when its time is over, and not before', async (cache) => {
    await cache.set('short', 1, 0.001);
    await cache.set('long', 2, 3_600);
    await cache.set('forever', 3, Number.POSITIVE_INFINITY);
    await expect.poll(() => cache.get('short'), { interval: 5 }).toBeUndefined();
    expect(await cache.get('long')).toBe(2);
    expect(await cache.get('forever')).toBe(3);
    await cache.set('long', 4, 0.001);
    await cache.set('long', 5);
    await cache.set('short', 6, 0.001);
    await expect.poll(() => cache.get('short'), { interval: 5 }).toBeUndefined();
    expect(await cache.get('long')).toBe(5);
    for (const ttl of [0, -1, Number.NaN])
      await expect(cache.set('k', 1, ttl)).rejects.toMatchObject({ code: 'storage_invalid_ttl' });
  });

  test('takes a value of 10 MB and refuses one of 64 MB', async (cache) => {
    await cache.set('large', 'x'.repeat(10_000_000));
    expect((await cache.get<string>('large'))?.length).toBe(10_000_000);
    await expect(cache.set('large', 'x'.repeat(64_000_000))).rejects.toMatchObject({
      code: 'storage_too_large',
    });
    await cache.delete('large');
  });

  test('shows no tenant a key of another, whatever form a key has', async (cache, storage, tenantId) => {
    await cache.set('k', 'secret');
    const others = [{ tenantId: `${tenantId}:` }, { tenantId: 'a' }, { userId: tenantId }, undefined];
    const scope = `t${tenantId}`;
    for (const other of others.map((each) => storage.forTenant(each).cache))
      for (const key of ['k', `${scope}:k`, `${scope.length}:${scope}:k`, `:k`, `../${scope}/k`])
        expect(await other.get(key)).toBeUndefined();
  });

  if (type === 'redis')
    test('is shared by two agents', async (cache, _, tenantId) => {
      const other = world.open({ cache: config() }).forTenant({ tenantId }).cache;
      await cache.set('k', 1);
      expect(await other.get('k')).toBe(1);
      await other.delete('k');
      expect(await cache.get('k')).toBeUndefined();
    });
});

describe('a cache in memory', () => {
  it('goes by the clock of durations', async () => {
    const clock = createManualClock();
    const values = createInMemoryValues({ clock });
    await values.set('', 'k', '1', 100);
    clock.advance(99);
    expect(await values.get('', 'k')).toBe('1');
    clock.advance(1);
    expect(await values.get('', 'k')).toBeUndefined();
  });

  it('lets go of what was not asked for the longest when it is full', async () => {
    const values = createInMemoryValues({ clock: createManualClock(), maxLength: 10 });
    for (const key of ['a', 'b', 'c']) await values.set('', key, '123', undefined);
    await values.get('', 'a');
    await values.set('', 'd', '1234', undefined);
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((key) => values.get('', key)));
    expect(left).toEqual(['123', undefined, '123', '1234']);
  });
});

const faults = (name: string, work: () => Promise<void>): void => {
  it.skipIf(redisServer.isMissing)(redisServer.titled(name), work);
};

describe('a cache in Redis', () => {
  faults('connects with the first use, and again after the server was away', async () => {
    const proxy = await startTestProxy(redisServer.url());
    const storage = world.open({ cache: { type: 'redis', url: proxy.url } });
    const { cache } = storage.forTenant({ tenantId: randomUUID() });
    expect(cache.isConnected()).toBe(false);
    expect(proxy.connections()).toBe(0);
    await cache.set('k', 1);
    proxy.goAway();
    const { port } = new URL(proxy.url);
    await expect(cache.get('k')).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining(`Redis at 127.0.0.1:${port} can't be reached: `) as string,
    });
    expect(cache.isConnected()).toBe(false);
    proxy.comeBack();
    expect(await cache.get('k')).toBe(1);
    // It went and came while nobody asked: nobody sees anything of it.
    proxy.goAway();
    proxy.comeBack();
    expect(await cache.get('k')).toBe(1);
    await storage.close();
    await proxy.close();
  });

  faults('does not wait for a server that never answers', async () => {
    const proxy = await startTestProxy(redisServer.url());
    let limitMs = 100;
    const hang = (): void => {
      proxy.hang();
      limitMs = 100;
    };
    // However slow the machine is, a server that does answer is waited for.
    const clock = {
      ...world.deps.clock,
      after: (_: number, call: () => void) => world.deps.clock.after(limitMs, call),
    };
    const { createRedisValues } = await import('./redis/createRedisValues.ts');
    const values = createRedisValues({ ...world.deps, clock, url: proxy.url, limitMs: 60_000 });
    hang();
    await expect(values.get('', 'k')).rejects.toMatchObject({ code: 'storage_timeout' });
    proxy.comeBack();
    limitMs = 60_000;
    expect(await values.get('', 'k')).toBeUndefined();
    hang();
    await expect(values.get('', 'k')).rejects.toMatchObject({ code: 'storage_timeout' });
    await values.close();
    await proxy.close();
  });

  faults('tells no password in its errors', async () => {
    const url = new URL(redisServer.url());
    url.password = 'hunter2%20secret';
    const storage = world.open({ cache: { type: 'redis', url: url.href } });
    const failed = await storage
      .forTenant(undefined)
      .cache.get('k')
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'storage_unavailable' });
    expect((failed as Error).cause).toBeUndefined();
    expect(String(failed)).toContain('WRONGPASS');
    expect(String(failed)).not.toContain('hunter2');
  });
});
