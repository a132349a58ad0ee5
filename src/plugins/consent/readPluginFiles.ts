// Threat: what the user agreed to run and what runs must be the same bytes. So the files are read once, hashed, and written
// to a snapshot from that same reading; a link that leads out of the folder is refused, since its target is not hashed.
import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { settleAll } from '../../tools/settleAll.ts';
import { isInside } from '../discover/isInside.ts';
import { plural } from '../../base/text.ts';

/** One file or link of a plugin. Paths are relative to the plugin folder, with forward slashes. */
export type PluginFile =
  | { readonly path: string; readonly kind: 'file'; readonly content: Uint8Array }
  | { readonly path: string; readonly kind: 'link'; readonly target: string };

export interface PluginFiles {
  readonly files: readonly PluginFile[];
  /** SHA-256 over all paths and contents, in hexadecimal. */
  readonly hash: string;
  /** Where the folder really lies, where it is a link; absolute. */
  readonly linkedTo?: string;
}

const maxFiles = 20_000;
const maxBytes = 256_000_000;
const skippedFolders = new Set(['.git', '.hg', '.svn']);

/**
 * Reads everything a plugin may load, its `node_modules` included. For a loose file that is the file and the manifest beside
 * it.
 * @throws PincerError `plugin_link_escapes`, `plugin_too_large`, or `io_*`.
 */
export async function readPluginFiles(
  fs: FileSystem,
  plugin: { readonly rootDir: string; readonly looseFiles?: readonly string[] },
): Promise<PluginFiles> {
  const reading: Reading = {
    fs,
    root: plugin.rootDir,
    realRoot: await fs.realpath(plugin.rootDir),
    found: 0,
    bytes: 0,
  };
  const entries =
    plugin.looseFiles?.map((path) => ({ path, kind: 'file' }) as const) ?? (await listFolder(reading, ''));
  const files = await settleAll(entries, (entry) => readEntry(reading, entry));
  const { realRoot } = reading;
  const isLink = realRoot !== join(await fs.realpath(dirname(plugin.rootDir)), basename(plugin.rootDir));
  return {
    files,
    hash: hashOf(files),
    ...(isLink && plugin.looseFiles === undefined ? { linkedTo: realRoot } : {}),
  };
}

interface Reading {
  readonly fs: FileSystem;
  readonly root: string;
  readonly realRoot: string;
  /** Files and links. */
  found: number;
  bytes: number;
}

interface FoundEntry {
  readonly path: string;
  readonly kind: 'file' | 'symlink';
}

async function listFolder(reading: Reading, path: string): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (const { name, kind } of await reading.fs.readDirectory(join(reading.root, path))) {
    const inner = path === '' ? name : `${path}/${name}`;
    if (kind === 'directory') {
      if (!skippedFolders.has(name)) for (const each of await listFolder(reading, inner)) found.push(each);
    } else if (kind === 'file' || kind === 'symlink') {
      found.push({ path: inner, kind });
      reading.found += 1;
      if (reading.found > maxFiles) throw tooLarge(reading.root);
    }
  }
  return found;
}

async function readEntry(reading: Reading, { path, kind }: FoundEntry): Promise<PluginFile> {
  if (kind === 'symlink') return { path, kind: 'link', target: await linkTarget(reading, path) };
  const { fs, root } = reading;
  const file = join(root, path);
  const { size = 0 } = (await fs.stat(file)) ?? {};
  // Several are read at a time: what each needs is taken off the room before.
  const room = Math.max(0, maxBytes - reading.bytes);
  reading.bytes += size;
  return { path, kind: 'file', content: await fs.readFile(file, room) };
}

async function linkTarget({ fs, root, realRoot }: Reading, path: string): Promise<string> {
  const link = join(root, path);
  const target = await fs.realpath(link);
  if (!isInside(realRoot, target)) {
    throw new PincerError(
      'plugin_link_escapes',
      `The plugin has a link that leads out of its folder: ${link} -> ${target}`,
      {
        hint: 'Replace the link by a copy.',
      },
    );
  }
  return relative(await fs.realpath(dirname(link)), target).replaceAll('\\', '/');
}

function tooLarge(root: string): PincerError {
  return new PincerError(
    'plugin_too_large',
    `The plugin folder has more than ${plural(maxFiles, 'file')}: ${root}`,
    {
      hint: 'Bundle the plugin, or leave its development files elsewhere.',
    },
  );
}

/** Lengths come first, so that no two lists of files have the same text. */
export function hashOf(files: readonly PluginFile[]): string {
  const hash = createHash('sha256');
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of sorted) {
    const content = file.kind === 'file' ? file.content : new TextEncoder().encode(file.target);
    hash.update(JSON.stringify([file.path, file.kind, content.byteLength]));
    hash.update(content);
  }
  return hash.digest('hex');
}

/** Hash of each file of the plugin's own; everything under a `node_modules` counts as one. */
export function fileHashes(files: readonly PluginFile[]): Readonly<Record<string, string>> {
  const groups = new Map<string, PluginFile[]>();
  for (const file of files) {
    const inPackages = /^(?:.*\/)?node_modules(?=\/)/u.exec(file.path)?.[0];
    const group = inPackages ?? file.path;
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [file]);
    else known.push(file);
  }
  return Object.fromEntries([...groups].map(([path, group]) => [path, hashOf(group)]));
}
