import { join } from 'node:path';
import type { ModuleRecord } from './moduleRecord.ts';

interface PluginRequireParts {
  readonly record: ModuleRecord;
  readonly records: Map<string, ModuleRecord>;
  readonly load: (request: string) => unknown;
  readonly resolve: (request: string, from: string) => string;
}

/** The `require` of one module, with what packages use of Node's: `resolve` with `paths`, and a `cache` to delete from. */
export function createPluginRequire({ record, records, load, resolve }: PluginRequireParts): NodeJS.Require {
  const require = (request: unknown): unknown => {
    if (typeof request === 'string' && request !== '') return load(request);
    throw new TypeError(`require() needs the name of a module, not ${typeof request}`);
  };
  return Object.assign(require, {
    resolve: Object.assign(
      (request: string, options: { readonly paths?: readonly string[] } = {}) =>
        resolveIn(options.paths?.map((folder) => join(folder, 'index.js')) ?? [record.filename], (from) =>
          resolve(request, from),
        ),
      { paths: () => null },
    ),
    cache: cacheOf(records),
    main: undefined,
    extensions: {},
  }) as unknown as NodeJS.Require;
}

/** The first place that finds it; what the last one says where none does. */
function resolveIn(places: readonly string[], find: (from: string) => string): string {
  let problem: unknown;
  for (const from of places) {
    try {
      return find(from);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function cacheOf(records: Map<string, ModuleRecord>): Record<string, NodeJS.Module> {
  return new Proxy<Record<string, NodeJS.Module>>(
    {},
    {
      get: (_, path) => records.get(String(path))?.module,
      has: (_, path) => records.has(String(path)),
      deleteProperty: (_, path) => records.delete(String(path)) || true,
      ownKeys: () => [...records.keys()],
      getOwnPropertyDescriptor: (_, path) => {
        const value = records.get(String(path))?.module;
        return value === undefined ? undefined : { value, enumerable: true, configurable: true };
      },
    },
  );
}
