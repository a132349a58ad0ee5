import { createInterface } from 'node:readline';
import { createStorage } from '../../src/dexto/storage/createStorage.ts';
import type { StorageConfig } from '../../src/dexto/agentFile/storageConfig.ts';
import { storageDeps } from './openStorageWorld.ts';

/**
 * An agent's process with a storage of its own: `storageProcess.ts <folder> <config as JSON>`. Each line that it is told is a call
 * as JSON, for example `["database", "set", "key", 1]`, with how often it is to be made at the same time as its last item where
 * that is `{ "times": n }`. It answers each with the last result as JSON.
 */
const [folder = '', config = ''] = process.argv.slice(2);
const storage = createStorage(JSON.parse(config) as StorageConfig, storageDeps(folder));
const backends = storage.forTenant({ tenantId: 'acme' });

for await (const line of createInterface({ input: process.stdin })) {
  const [backend, method, ...given] = JSON.parse(line) as ['database' | 'cache', string, ...unknown[]];
  const times = (given.at(-1) as { times?: number } | undefined)?.times;
  const args = times === undefined ? given : given.slice(0, -1);
  const methods = backends[backend] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const call = async (): Promise<unknown> => await methods[method]?.(...args);
  const results = await Promise.all(Array.from({ length: times ?? 1 }, call));
  process.stdout.write(`${JSON.stringify(results.at(-1) ?? null)}\n`);
}
await storage.close();
