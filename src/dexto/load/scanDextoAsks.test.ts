import { expect, it } from 'vitest';
import type { StorageConfig } from '../agentFile/storageConfig.ts';
import type { PluginFile } from '../../plugins/consent/readPluginFiles.ts';
import { extensionPoints } from '../pointRules.ts';
import { describeStorage, scanDextoAsks } from './scanDextoAsks.ts';

const file = (text: string, path = 'index.ts'): PluginFile => ({
  path,
  kind: 'file',
  content: new TextEncoder().encode(text),
});
const usual: StorageConfig = {
  database: { type: 'sqlite' },
  cache: { type: 'in-memory' },
  blob: { type: 'local' },
};
const points = (...files: readonly PluginFile[]) => scanDextoAsks(files, usual).points;

it('the points are those that the code names; where it names none they may be any', () => {
  expect(points(file('class A { beforeToolCall() {} afterToolResult() {} }'))).toEqual([
    'beforeToolCall',
    'afterToolResult',
  ]);
  expect(points(file("export * from './rest'"), file('beforeResponse', 'node_modules/p/index.js'))).toEqual(
    extensionPoints,
  );
});

it('where the code is more than is read, the points may be any', () => {
  expect(points(file(`beforeToolCall ${' '.repeat(5_000_001)}`))).toEqual(extensionPoints);
});

it('the storage is named by its place, without users and passwords', () => {
  const url = 'postgres://ada:hunter2@db.example:5433/app';
  const lines = describeStorage({
    database: { type: 'postgres', url },
    cache: { type: 'redis', url: 'redis://:hunter2@cache.example' },
    blob: { type: 'local', storePath: '/data/blobs' },
  });
  expect(lines).toEqual([
    'database: PostgreSQL at db.example:5433',
    'cache: Redis at cache.example:6379',
    'blobs: /data/blobs',
  ]);
  expect(describeStorage({ ...usual, database: { type: 'postgres', url: 'hunter2' } })[0]).toBe(
    'database: PostgreSQL at an address that can not be read',
  );
  expect(scanDextoAsks([], usual).storage).toEqual([
    'database: a file in the state folder of this workspace',
    'cache: memory',
    'blobs: files in the state folder of this workspace',
  ]);
});
