// Threat: a plugin imports a file outside of its folder, which is in no hash: whoever changes that file runs code that nobody has
// agreed to. So nothing outside is imported, by whatever name.

import { realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { isCode } from '../consent/ownCode.ts';
import { isInside } from '../discover/isInside.ts';
import type { CompiledModule } from './compileModule.ts';
import type { RequestKind, ModuleResolver } from './createResolver.ts';
import type { HostModules, RequireFrom } from './hostModules.ts';
import {
  moduleNotFound,
  nativeAddOn,
  noCode,
  outsideOfPlugin,
  requireOfAsyncModule,
} from './moduleErrors.ts';

/** The modules of one load of one plugin. Nothing of it is kept by Node, so it goes when the plugin lets go of it. */
interface ModuleGraph {
  /** @throws whatever the code throws */
  load(entry: string): Promise<unknown>;
}

interface ModuleGraphParts {
  readonly pluginId: string;
  readonly rootDir: string;
  readonly resolver: Pick<ModuleResolver, 'resolve'>;
  readonly source: ModuleSource;
  /** Modules that are not files: the SDK, and Node's own. They come before everything else. */
  readonly provided: HostModules;
  /** Libraries for plugins that bring none: asked where nothing is installed. */
  readonly libraries: HostModules;
}

/** Where modules come from, by the absolute paths that the resolver gives. */
interface ModuleSource {
  /**
   * @param async true where the code may wait for what it imports
   * @throws SyntaxError with the place
   */
  compile(path: string, async: boolean): CompiledModule;
  /** A JSON file. */
  readJson(path: string): unknown;
  /** The path by the names that the files have where they lie. */
  nameOf(path: string): string;
}

/** A module waits for another one, so that it can't be evaluated in one go. */
class NeedsToWait extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} awaits outside of functions`);
    this.path = path;
  }
}

type Located = { readonly exports: unknown } | { readonly path: string };

/**
 * Evaluates modules as Node does, each once. ES modules run as CommonJS, in one go; only a module that awaits outside of
 * functions, and what imports it, is evaluated step by step.
 */
export function createModuleGraph(parts: ModuleGraphParts): ModuleGraph {
  const records = new Map<string, ModuleRecord>();
  const root = realpathSync(parts.rootDir);

  function locate(request: string, from: string, kind: RequestKind): Located {
    const provided = parts.provided(request, createRequire) ?? builtIn(request, createRequire);
    if (provided !== undefined) return provided;
    try {
      return { path: resolveInside(request, from, kind) };
    } catch (error) {
      const library = parts.libraries(request, createRequire);
      if (library === undefined) throw error;
      return library;
    }
  }

  function resolveInside(request: string, from: string, kind: RequestKind): string {
    const path = parts.resolver.resolve(request, from, kind);
    if (isInside(root, path)) return path;
    // A package that happens to lie above the plugin is none of the plugin's.
    throw isPath(request) ? outsideOfPlugin(path, parts.pluginId) : moduleNotFound(request, from);
  }

  function requireModule(request: string, from: ModuleRecord, kind: RequestKind): unknown {
    const located = locate(request, from.filename, kind);
    if ('exports' in located) return located.exports;
    const known = records.get(located.path);
    if (known === undefined) return viewOf(evaluate(located.path, from), from);
    if (known.pending !== undefined && from.format === 'module') throw new NeedsToWait(located.path);
    return viewOf(known, from);
  }

  async function importModule(request: string, from: ModuleRecord): Promise<unknown> {
    const located = locate(request, from.filename, 'import');
    return 'exports' in located ? located.exports : viewOf(await evaluateWaiting(located.path, from), from);
  }

  /** @throws NeedsToWait having run nothing of the module itself. */
  function evaluate(path: string, parent: ModuleRecord | undefined): ModuleRecord {
    const record = begin(path, parent);
    try {
      if (!readData(record)) run(record, parts.source.compile(path, false));
      record.module.loaded = true;
      return record;
    } catch (error) {
      records.delete(path);
      throw error instanceof NeedsToWait && record.format === 'commonjs'
        ? requireOfAsyncModule(error.path)
        : error;
    }
  }

  function run(record: ModuleRecord, { format, waits, body }: CompiledModule): unknown {
    record.format = format;
    if (waits && record.pending === undefined) throw new NeedsToWait(record.filename);
    const { module, filename } = record;
    const self = format === 'commonjs' ? module.exports : undefined;
    const resolve = (request: unknown): string => resolveUrl(String(request), filename);
    return Reflect.apply(body, self, [
      module.exports,
      // Where a transpiler wrote it, it stands for `import`.
      format === 'commonjs' || filename.endsWith('.cts') ? module.require : requireFrom(record, 'import'),
      module,
      filename,
      dirname(filename),
      (request: unknown) => importModule(String(request), record),
      resolve,
      { url: pathToFileURL(filename).href, filename, dirname: dirname(filename), resolve },
      module.require,
    ]);
  }

  async function evaluateWaiting(path: string, from: ModuleRecord | undefined): Promise<ModuleRecord> {
    const known = records.get(path);
    if (known !== undefined) {
      // Who waits for a module that waits for itself gets what is there so far: a circle.
      if (known.pending !== undefined && !(from !== undefined && waitsFor(known, from))) {
        await waitingFor(from, known, known.pending);
      }
      return known;
    }
    try {
      return evaluate(path, from);
    } catch (error) {
      if (!(error instanceof NeedsToWait)) throw error;
    }
    const record = begin(path, from);
    record.pending = evaluateInSteps(record);
    await waitingFor(from, record, record.pending);
    return record;
  }

  async function evaluateInSteps(record: ModuleRecord): Promise<void> {
    try {
      // Not before `pending` is set.
      await Promise.resolve();
      await run(record, parts.source.compile(record.filename, true));
      record.module.loaded = true;
      delete record.pending;
    } catch (error) {
      records.delete(record.filename);
      throw error;
    }
  }

  function begin(path: string, parent: ModuleRecord | undefined): ModuleRecord {
    const record = createModuleRecord(path, parent);
    record.module.require = requireFrom(record, 'require');
    records.set(path, record);
    return record;
  }

  /** JSON and what can't be loaded; false for code. */
  function readData(record: ModuleRecord): boolean {
    const ending = extname(record.filename);
    if (ending === '.node') throw nativeAddOn(record.filename, parts.rootDir, parts.pluginId);
    if (isCode(parts.source.nameOf(record.filename))) return false;
    if (ending !== '.json') throw noCode(record.filename, parts.rootDir, parts.pluginId);
    record.module.exports = parts.source.readJson(record.filename);
    return true;
  }

  function requireFrom(record: ModuleRecord, kind: RequestKind): NodeJS.Require {
    return createPluginRequire({
      record,
      records,
      load: (request) => requireModule(request, record, kind),
      resolve: (request, from) => resolvePath(request, from, kind),
    });
  }

  /** Gives a plugin the same `require` as everywhere else in it. */
  function createRequire(from: string | URL): NodeJS.Require {
    return requireFrom(createModuleRecord(from), 'require');
  }

  function resolvePath(request: string, from: string, kind: RequestKind): string {
    const located = locate(request, from, kind);
    return 'path' in located ? located.path : request;
  }

  function resolveUrl(request: string, from: string): string {
    const found = resolvePath(request, from, 'import');
    if (found !== request || found.startsWith('/')) return pathToFileURL(found).href;
    return isBuiltin(found) && !found.startsWith('node:') ? `node:${found}` : found;
  }

  return {
    async load(entry) {
      const { module } = await evaluateWaiting(parts.resolver.resolve(entry, entry, 'import'), undefined);
      return module.exports;
    },
  };
}

/** No name of a package. */
function isPath(request: string): boolean {
  return isAbsolute(request) || /^(?:\.{1,2}(?:[\\/]|$)|file:)/u.test(request);
}

/** Node's own modules, `createRequire` aside. */
function builtIn(name: string, createRequire: RequireFrom): { readonly exports: unknown } | undefined {
  if (!isBuiltin(name)) return undefined;
  const exports = process.getBuiltinModule(name) as unknown;
  if (!/^(?:node:)?module$/u.test(name)) return { exports };
  return {
    exports: new Proxy(exports as object, {
      get: (target, key) => (key === 'createRequire' ? createRequire : (Reflect.get(target, key) as unknown)),
    }),
  };
}

/** True where `target` can't end before `other` does. */
function waitsFor(target: ModuleRecord, other: ModuleRecord): boolean {
  return target === other || [...target.waitingFor].some((each) => waitsFor(each, other));
}

async function waitingFor(
  from: ModuleRecord | undefined,
  target: ModuleRecord,
  pending: Promise<void>,
): Promise<void> {
  from?.waitingFor.add(target);
  try {
    await pending;
  } finally {
    from?.waitingFor.delete(target);
  }
}

/**
 * A module as the one that imports it sees it. CommonJS that was once an ES module marks itself with `__esModule`; there
 * the two worlds differ in what its default is:
 * - to JavaScript that Node knows as an ES module it is all that the module exports;
 * - to TypeScript and to what bundlers made it is `exports.default`, or all where there is none.
 */
function viewOf(record: ModuleRecord, importer: ModuleRecord): unknown {
  const { exports } = record.module;
  if (importer.format === 'commonjs' || record.format === 'module' || !isMarked(exports)) return exports;
  if ('default' in exports && !isNativeEsModule(importer)) return exports;
  return withDefault(exports);
}

interface Marked {
  readonly __esModule: true;
}

function isMarked(exports: unknown): exports is Marked {
  const holder = (typeof exports === 'object' && exports !== null) || typeof exports === 'function';
  return holder && (exports as Partial<Marked>).__esModule === true;
}

function isNativeEsModule({ filename }: ModuleRecord): boolean {
  return /^\.m?js$/u.test(extname(filename));
}

function withDefault(exports: Marked): unknown {
  return new Proxy(exports, {
    has: (target, key) => key === 'default' || Reflect.has(target, key),
    get: (target, key) => (key === 'default' ? target : (Reflect.get(target, key) as unknown)),
  });
}

interface PluginRequireParts {
  readonly record: ModuleRecord;
  readonly records: Map<string, ModuleRecord>;
  readonly load: (request: string) => unknown;
  readonly resolve: (request: string, from: string) => string;
}

/** The `require` of one module, with what packages use of Node's: `resolve` with `paths`, and a `cache` to delete from. */
function createPluginRequire({ record, records, load, resolve }: PluginRequireParts): NodeJS.Require {
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

/** What CommonJS code knows as `module`. */
interface PluginModule {
  id: string;
  filename: string;
  path: string;
  paths: string[];
  loaded: boolean;
  exports: unknown;
  parent: PluginModule | undefined;
  children: PluginModule[];
  require: NodeJS.Require | undefined;
}

/** One module of one load. */
interface ModuleRecord {
  readonly filename: string;
  readonly module: PluginModule;
  /** `commonjs` is code that ran as it stands; `module` was an ES module or TypeScript. */
  format: 'commonjs' | 'module';
  /** There while it is evaluated step by step. */
  pending?: Promise<void>;
  /** What it imports and has to wait for now. */
  readonly waitingFor: Set<ModuleRecord>;
}

/** @param from absolute path or file URL */
function createModuleRecord(from: string | URL, parent?: ModuleRecord): ModuleRecord {
  const filename = from instanceof URL || from.startsWith('file:') ? fileURLToPath(from) : from;
  const module: PluginModule = {
    id: filename,
    filename,
    path: dirname(filename),
    paths: [],
    loaded: false,
    exports: {},
    parent: parent?.module,
    children: [],
    require: undefined,
  };
  parent?.module.children.push(module);
  return { filename, module, format: 'commonjs', waitingFor: new Set() };
}
