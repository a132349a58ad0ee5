// Threat: a cloned repository brings a node_modules of its own, and code of it runs because a model lies nearby. So packages
// come from the folder that the user's own config names, or from above the model, but never from inside a workspace.
import { createRequire } from 'node:module';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord, parseJson } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';

/** A package that the user installed; nothing of it has run yet. */
export interface FoundPackage {
  /** Absolute. */
  readonly folder: string;
  /** Runs it and gives its exports. Rejects with whatever it throws. */
  load(): Promise<unknown>;
}

/** Looks in `from`'s `node_modules` and in those above; undefined where none holds the package. */
export type FindPackage = (name: string, from: string) => Promise<FoundPackage | undefined>;

interface FindPackageOptions {
  readonly fs: Pick<FileSystem, 'stat' | 'realpath' | 'readText'>;
  /** Folders whose packages are never loaded: those of the workspace. */
  readonly untrusted: readonly string[];
  /** `import()` of a file URL; a parameter since bundlers rewrite what they can read. */
  readonly load?: (url: string) => Promise<unknown>;
}

export function createFindPackage({ fs, untrusted, load = importFile }: FindPackageOptions): FindPackage {
  return async (name, from) => {
    // `resolve.paths` is Node's own list: the folder, those above it, and the places for packages of all programs.
    const places = createRequire(join(from, 'noname.js')).resolve.paths(name) ?? [];
    for (const place of places) {
      const folder = join(place, name);
      const manifest = join(folder, 'package.json');
      if ((await fs.stat(manifest))?.kind !== 'file') continue;
      const real = await fs.realpath(folder);
      if (untrusted.some((root) => isInside(root, folder) || isInside(root, real))) continue;
      const entry = entryOf(parseJson(await fs.readText(manifest, 1024 * 1024)));
      const file = resolve(real, entry ?? 'index.js');
      if (!isInside(real, file)) continue;
      return { folder: real, load: () => load(pathToFileURL(file).href) };
    }
    return undefined;
  };
}

async function importFile(url: string): Promise<unknown> {
  return (await import(url)) as unknown;
}

/** The file that `import` gets: `exports` with its conditions, else `main`. */
function entryOf(manifest: unknown): string | undefined {
  if (!isRecord(manifest)) return undefined;
  const { exports, main } = manifest;
  const root = isRecord(exports) && '.' in exports ? exports['.'] : exports;
  return fileOf(root) ?? (typeof main === 'string' ? main : undefined);
}

function fileOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (!isRecord(target)) return undefined;
  const condition = Object.keys(target).find((key) => ['node', 'import', 'default'].includes(key));
  return condition === undefined ? undefined : fileOf(target[condition]);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
