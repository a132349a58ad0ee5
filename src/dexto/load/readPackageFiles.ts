// Threat: a package is agreed to, and runs, with what it depends on; package managers put that beside it, not into it. So it is
// read, hashed and copied along, and nothing outside of the copy can be loaded.
import { dirname, join } from 'node:path';
import { isRecord, parseJson } from '../../base/json.ts';
import { PincerError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import type { FileSystem } from '../../host/ports.ts';
import {
  hashOf,
  readPluginFiles,
  type PluginFile,
  type PluginFiles,
} from '../../plugins/consent/readPluginFiles.ts';
import { findImports } from './findImports.ts';

/**
 * A file that shares its folder with others, and what it imports: files of that folder and below it, and packages that are installed
 * at the folder or above. Reads code as text, so that what only looks like an import is taken along, too.
 * @throws PincerError `plugin_too_large`, or `io_*`
 */
export async function readLooseFiles(fs: FileSystem, source: string): Promise<PluginFiles> {
  const rootDir = dirname(source);
  const { paths, packages } = await findImports(fs, source);
  const own = await readPluginFiles(fs, { rootDir, looseFiles: paths });
  const reading: Reading = { fs, files: [...own.files], placed: new Map() };
  return await withDependencies(reading, { dir: rootDir, names: [], isLoose: true }, own, packages);
}

/**
 * Everything that a package may load: its folder, and below `node_modules` in it each package that it depends on and that lies
 * elsewhere, where Node would find it. One that is not installed is left out: loading says so.
 * @throws PincerError `plugin_link_escapes`, `plugin_too_large`, or `io_*`
 */
export async function readPackageFiles(fs: FileSystem, packageDir: string): Promise<PluginFiles> {
  const own = await readPluginFiles(fs, { rootDir: packageDir });
  const reading: Reading = { fs, files: [...own.files], placed: new Map() };
  const needed = await dependenciesOf(fs, packageDir);
  return await withDependencies(reading, { dir: packageDir, names: [] }, own, needed);
}

async function withDependencies(
  reading: Reading,
  plugin: Placed,
  own: PluginFiles,
  needed: readonly string[],
): Promise<PluginFiles> {
  const waiting: { readonly from: Placed; readonly needed: readonly string[] }[] = [{ from: plugin, needed }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const name of next.needed) {
      const found = await placeDependency(reading, next.from, name);
      if (found !== undefined)
        waiting.push({ from: found, needed: await dependenciesOf(reading.fs, found.dir) });
    }
  }
  const { files } = reading;
  return files.length === own.files.length ? own : { files, hash: hashOf(files) };
}

const maxFiles = 20_000;
const maxManifestBytes = 1_000_000;

/** A package in the copy. */
interface Placed {
  /** Where it lies now; links resolved. */
  readonly dir: string;
  /** The packages that it lies in, outermost first; none for the plugin itself. */
  readonly names: readonly string[];
  /** The `node_modules` in `dir` is not read yet. */
  readonly isLoose?: true;
}

interface Reading {
  readonly fs: FileSystem;
  readonly files: PluginFile[];
  /** Folders of packages by their path in the copy. */
  readonly placed: Map<string, string>;
}

/** Undefined where it is not installed, or what needs it finds it already. */
async function placeDependency(reading: Reading, from: Placed, name: string): Promise<Placed | undefined> {
  const { fs, files, placed } = reading;
  const folder = await findInstalled(fs, from.dir, name);
  if (folder === undefined) return undefined;
  const inner = [...from.names, name];
  if (from.isLoose !== true && folder === join(from.dir, 'node_modules', name)) {
    // Its files came with those of the package around it.
    if (placed.has(pathOf(inner))) return undefined;
    placed.set(pathOf(inner), folder);
    return { dir: folder, names: inner };
  }
  const seen = visibleFrom(reading, from.names, name);
  if (seen === folder) return undefined;
  const names = seen === undefined ? [name] : inner;
  const path = pathOf(names);
  placed.set(path, folder);
  const read = await readPluginFiles(fs, { rootDir: folder });
  files.push(...read.files.map((file) => ({ ...file, path: `${path}/${file.path}` })));
  if (files.length > maxFiles) throw tooLarge(folder);
  return { dir: folder, names };
}

/** What the package at `names` gets in the copy when it imports `name`: a folder, or '' for one that was not looked at yet. */
function visibleFrom({ placed, files }: Reading, names: readonly string[], name: string): string | undefined {
  for (let depth = names.length; depth >= 0; depth -= 1) {
    const path = pathOf([...names.slice(0, depth), name]);
    const known = placed.get(path);
    if (known !== undefined) return known;
    if (files.some((file) => file.path.startsWith(`${path}/`))) return '';
  }
  return undefined;
}

async function findInstalled(fs: FileSystem, from: string, name: string): Promise<string | undefined> {
  for (let folder = from; ; folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name);
    if ((await fs.stat(candidate)) !== undefined) return await fs.realpath(candidate);
    if (folder === join(folder, '..')) return undefined;
  }
}

/** Packages of upstream are provided, and never loaded from disk. */
async function dependenciesOf(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const manifest = join(folder, 'package.json');
  if ((await fs.stat(manifest)) === undefined) return [];
  const json = parseJson(await fs.readText(manifest, maxManifestBytes));
  if (!isRecord(json)) return [];
  const lists = [json['dependencies'], json['optionalDependencies'], json['peerDependencies']];
  const names = lists.filter(isRecord).flatMap((list) => Object.keys(list));
  return [...new Set(names)].filter((name) => packageName.test(name) && !name.startsWith('@dexto/'));
}

/** A name such as `../../x` leads elsewhere. */
const packageName = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/u;

function pathOf(names: readonly string[]): string {
  return names.map((name) => `node_modules/${name}`).join('/');
}

function tooLarge(folder: string): PincerError {
  const message = `The packages of the plugin have more than ${plural(maxFiles, 'file')}, those of ${folder} with them`;
  return new PincerError('plugin_too_large', message, { hint: 'Bundle the plugin into one file.' });
}
