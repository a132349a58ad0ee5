import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inMemoryStorage } from '../../../test/builders/openStorageWorld.ts';
import { openTestDatabase, postgresServer, redisServer } from '../../../test/builders/testServers.ts';
import { startProcess, type TestProcess } from '../../../test/samples/memoryCrash/startProcess.ts';
import type { StorageConfig } from '../agentFile/storageConfig.ts';

let folder: string;
let started: TestProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-processes-'));
  started = [];
});
afterEach(async () => {
  for (const child of started) await child.killed('now');
  await rm(folder, { recursive: true, force: true });
});

interface Agent {
  call(...call: readonly unknown[]): Promise<unknown>;
}

/** A real process with a storage. */
function startAgent(config: Partial<StorageConfig>): Agent {
  const child = startProcess(join(folder, 'cache'), '../../builders/storageProcess.ts', [
    folder,
    JSON.stringify({ ...inMemoryStorage, ...config }),
  ]);
  started.push(child);
  return {
    async call(...call) {
      child.tell(JSON.stringify(call));
      const line = await child.next();
      if (line === undefined) throw new Error('The process has ended.');
      return JSON.parse(line) as unknown;
    },
  };
}

async function expectShared(config: Partial<StorageConfig>): Promise<void> {
  const [one, other] = [startAgent(config), startAgent(config)];
  await one.call('database', 'set', 'tenant:acme:quota', { requests: 60 });
  expect(await other.call('database', 'get', 'tenant:acme:quota')).toEqual({ requests: 60 });
  await Promise.all([
    one.call('database', 'append', 'log', 'one', { times: 30 }),
    other.call('database', 'append', 'log', 'other', { times: 30 }),
  ]);
  const log = (await one.call('database', 'get', 'log')) as string[];
  expect(log.filter((item) => item === 'one')).toHaveLength(30);
  expect(log.filter((item) => item === 'other')).toHaveLength(30);
  expect(await other.call('database', 'get', 'log')).toEqual(log);
}

describe('two processes', () => {
  it('share a database file, and neither loses what the other writes', async () => {
    await expectShared({ database: { type: 'sqlite' } });
  });

  it('go on with the file of one that was killed while it wrote', async () => {
    const one = startAgent({ database: { type: 'sqlite' } });
    await one.call('database', 'set', 'k', 1);
    const writing = one.call('database', 'append', 'log', 'x', { times: 2_000 });
    const lost = expect(writing).rejects.toThrow('The process has ended.');
    await started.pop()?.killed('now');
    await lost;
    const other = startAgent({ database: { type: 'sqlite' } });
    await other.call('database', 'append', 'k2', 1);
    expect(await other.call('database', 'get', 'k')).toBe(1);
  });

  it.skipIf(postgresServer.isMissing)(postgresServer.titled('share a database in PostgreSQL'), async () => {
    const database = await openTestDatabase();
    try {
      await expectShared({ database: { type: 'postgres', url: database.url } });
    } finally {
      await database.close();
    }
  });

  it.skipIf(redisServer.isMissing)(redisServer.titled('share a cache in Redis'), async () => {
    const config = { cache: { type: 'redis', url: redisServer.url() } } as const;
    const [one, other] = [startAgent(config), startAgent(config)];
    const key = `shared ${folder}`;
    await one.call('cache', 'set', key, { count: 1 }, 60);
    expect(await other.call('cache', 'get', key)).toEqual({ count: 1 });
    await other.call('cache', 'delete', key);
    expect(await one.call('cache', 'get', key)).toBeNull();
  });
});
