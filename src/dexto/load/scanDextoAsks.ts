import type { BlobConfig, DatabaseConfig, StorageConfig } from '../agentFile/storageConfig.ts';
import { ownCode } from '../../plugins/consent/ownCode.ts';
import { scanAsks } from '../../plugins/consent/scanAsks.ts';
import type { PluginFile } from '../../plugins/consent/readPluginFiles.ts';
import type { PluginAsks } from '../../plugins/pluginTypes.ts';
import { extensionPoints } from '../pointRules.ts';
import { postgresRule } from '../storage/postgres/readPostgresAddress.ts';
import { redisRule } from '../storage/redis/readRedisAddress.ts';
import { placeOf, readServerAddress, type AddressRule } from '../storage/serverAddress.ts';

/**
 * What a plugin is going to do, read from its text without running it. Whoever has an extension point may see what is said: tool
 * calls and answers hold it, and all of them get the session. Every plugin has a point; where the text names none, or was not read
 * to its end, it may be any. Pure.
 */
export function scanDextoAsks(files: readonly PluginFile[], storage: StorageConfig): PluginAsks {
  const asks = scanAsks(files, { contractTools: [] });
  const { text, isWhole } = ownCode(files);
  const named = extensionPoints.filter((point) => text.includes(point));
  return {
    ...asks,
    hooks: [],
    tools: [],
    commands: [],
    registers: [],
    conversation: true,
    points: isWhole && named.length > 0 ? named : extensionPoints,
    storage: describeStorage(storage),
  };
}

/**
 * Where plugins keep database, cache and blobs, one line each for people. Threat: a workspace's agent file sends what plugins store to a
 * server that the user has never heard of. So the question that lets them run names the server; what else is in its address, such as a
 * password, stays out of every text. Pure.
 */
export function describeStorage({ database, cache, blob }: StorageConfig): readonly string[] {
  return [
    `database: ${describeDatabase(database)}`,
    `cache: ${cache.type === 'redis' ? serverOf(redisRule, cache.url) : 'memory'}`,
    `blobs: ${describeBlobs(blob)}`,
  ];
}

function describeDatabase(database: DatabaseConfig): string {
  switch (database.type) {
    case 'in-memory':
      return 'memory';
    case 'sqlite':
      return database.path ?? 'a file in the state folder of this workspace';
    case 'postgres':
      return serverOf(postgresRule, database.url);
  }
}

function describeBlobs(blob: BlobConfig): string {
  if (blob.type === 'in-memory') return 'memory';
  return blob.storePath ?? 'files in the state folder of this workspace';
}

function serverOf(rule: AddressRule, url: string): string {
  try {
    return placeOf(rule, readServerAddress(url, rule));
  } catch {
    // What is wrong with it is reported where it is used, without the address.
    return `${rule.backend} at an address that can not be read`;
  }
}
