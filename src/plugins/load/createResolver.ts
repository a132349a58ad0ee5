import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../base/json.ts';
import { moduleNotFound, packagePathShut } from './moduleErrors.ts';
import { resolveExportsMap, resolveImportsMap, type MapTarget } from './packageMap.ts';

/** `import` is what the code imports, by statement or by `import()`; `require` is what it requires. */
export type RequestKind = 'import' | 'require';

/** Finds the file behind a module name, by the rules of Node and with TypeScript's files added. */
export interface ModuleResolver {
  /**
   * Absolute path, links followed.
   * @param from absolute path of the file that asks
   * @param kind how it asks: it chooses among the conditions of a package's `exports` and `imports`
   * @throws Error with code `MODULE_NOT_FOUND` or `ERR_PACKAGE_PATH_NOT_EXPORTED`
   */
  resolve(request: string, from: string, kind: RequestKind): string;
  /** The `type` of the package that a file belongs to. */
  packageType(file: string): string | undefined;
}

type PackageJson = Readonly<Record<string, unknown>>;

interface PackageRequest {
  readonly folder: string;
  readonly json: PackageJson;
  /** '.' or './x'. */
  readonly subpath: string;
  readonly from: string;
  readonly kind: RequestKind;
}

const javaScript = ['.js', '.cjs', '.mjs', '.json', '.node'];
const typeScript = ['.ts', '.tsx', '.mts', '.cts', '.mtsx', '.ctsx'];

/** Node's own, but for `node-addons`: native add-ons do not run here. `default` fits always. */
const conditionsOf: Readonly<Record<RequestKind, readonly string[]>> = {
  import: ['node', 'import', 'module-sync'],
  require: ['node', 'require', 'module-sync'],
};

/** Remembers every package.json that it has read; make a new one for each load. */
export function createResolver(): ModuleResolver {
  const packages = new Map<string, PackageJson | undefined>();

  function packageIn(folder: string): PackageJson | undefined {
    if (!packages.has(folder)) packages.set(folder, readPackage(join(folder, 'package.json')));
    return packages.get(folder);
  }

  function nearestPackage(file: string): { readonly folder: string; readonly json: PackageJson } | undefined {
    for (const folder of foldersAbove(file)) {
      const json = packageIn(folder);
      if (json !== undefined) return { folder, json };
    }
    return undefined;
  }

  function findBare(request: string, from: string, kind: RequestKind): string | undefined {
    const { name, subpath } = splitRequest(request);
    const own = nearestPackage(from);
    if (own?.json['name'] === name && own.json['exports'] !== undefined) {
      return findInPackage({ folder: own.folder, json: own.json, subpath, from, kind });
    }
    for (const folder of foldersAbove(from)) {
      const candidate = join(folder, 'node_modules', name);
      const found = isFolder(candidate)
        ? findInPackage({ folder: candidate, json: packageIn(candidate) ?? {}, subpath, from, kind })
        : asFile(candidate, from);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function findInPackage({ folder, json, subpath, from, kind }: PackageRequest): string | undefined {
    if (json['exports'] == null) return findPath(join(folder, subpath), from);
    const target = targetFor(kind, (conditions) => resolveExportsMap(json['exports'], subpath, conditions));
    if (target == null || !isInner(target)) throw packagePathShut(subpath, folder);
    const file = join(folder, target);
    return isFile(file) ? file : undefined;
  }

  function findImport(request: string, from: string, kind: RequestKind): string | undefined {
    const own = nearestPackage(from);
    if (own === undefined) return undefined;
    const target = targetFor(kind, (conditions) =>
      resolveImportsMap(own.json['imports'], request, conditions),
    );
    if (target == null) return undefined;
    return isInner(target) ? findPath(join(own.folder, target), from) : findBare(target, from, kind);
  }

  function packageType(file: string): string | undefined {
    const type = nearestPackage(file)?.json['type'];
    return typeof type === 'string' ? type : undefined;
  }

  function findPath(path: string, from: string): string | undefined {
    return asFile(path, from) ?? asFolder(path, from);
  }

  function asFolder(folder: string, from: string): string | undefined {
    if (!isFolder(folder)) return undefined;
    const main = packageIn(folder)?.['main'];
    const named = typeof main === 'string' ? join(folder, main) : undefined;
    return (
      (named === undefined ? undefined : (asFile(named, from) ?? asFile(join(named, 'index'), from))) ??
      asFile(join(folder, 'index'), from)
    );
  }

  return {
    packageType,
    resolve(request, from, kind) {
      const path = pathOf(request, from);
      const find = (): string | undefined => {
        if (path !== undefined) return findPath(path, from) ?? findPath(path.replace(/[?#].*$/u, ''), from);
        return request.startsWith('#') ? findImport(request, from, kind) : findBare(request, from, kind);
      };
      const found = find();
      if (found === undefined) throw moduleNotFound(request, from);
      return realpathSync(found);
    },
  };
}

/** As Node does; a package that has only the other form gives that one, as with upstream's loader, since both can be loaded either way. */
function targetFor(kind: RequestKind, resolveWith: (conditions: readonly string[]) => MapTarget): MapTarget {
  const own = resolveWith(conditionsOf[kind]);
  return own === undefined ? resolveWith(conditionsOf[kind === 'import' ? 'require' : 'import']) : own;
}

function pathOf(request: string, from: string): string | undefined {
  if (request.startsWith('file:')) return fileURLToPath(request);
  if (isAbsolute(request)) return request;
  return /^\.{1,2}(?:[\\/]|$)/u.test(request) ? resolve(dirname(from), request) : undefined;
}

function splitRequest(request: string): { readonly name: string; readonly subpath: string } {
  const parts = request.split('/');
  const length = request.startsWith('@') ? 2 : 1;
  return {
    name: parts.slice(0, length).join('/'),
    subpath: ['.', ...parts.slice(length)].join('/'),
  };
}

/** A target that leads out of its package is no target. */
function isInner(target: string): boolean {
  return target.startsWith('./') && !target.split(/[\\/]/u).includes('..');
}

/** A TypeScript file means TypeScript first, and writes `.js` for a neighbour that is `.ts`. */
function asFile(path: string, from: string): string | undefined {
  if (isFile(path)) return path;
  const endings = typeScript.includes(extname(from))
    ? [...typeScript, ...javaScript]
    : [...javaScript, ...typeScript];
  const renamed = /\.[cm]?jsx?$/u.test(path)
    ? [path.replace(/js(x?)$/u, 'ts$1'), `${path.slice(0, -3)}.tsx`]
    : [];
  return [...endings.map((ending) => path + ending), ...renamed].find(isFile);
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (!folder.endsWith('node_modules')) yield folder;
    if (folder === dirname(folder)) return;
  }
}

function readPackage(path: string): PackageJson | undefined {
  if (!isFile(path)) return undefined;
  const json: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/u, ''));
  return isRecord(json) ? json : undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
