// Threat: what the user agreed to run and what runs must be the same bytes. So the files are read once, hashed, and written
// to a snapshot from that same reading; a link that leads out of the folder is refused, since its target is not hashed.
import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';
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
    files: [],
    bytes: 0,
  };
  if (plugin.looseFiles === undefined) await readFolder(reading, '');
  else for (const path of plugin.looseFiles) await readEntry(reading, path, 'file');
  const { realRoot } = reading;
  const isLink = realRoot !== join(await fs.realpath(dirname(plugin.rootDir)), basename(plugin.rootDir));
  return {
    files: reading.files,
    hash: hashOf(reading.files),
    ...(isLink && plugin.looseFiles === undefined ? { linkedTo: realRoot } : {}),
  };
}

interface Reading {
  readonly fs: FileSystem;
  readonly root: string;
  readonly realRoot: string;
  readonly files: PluginFile[];
  bytes: number;
}

async function readFolder(reading: Reading, path: string): Promise<void> {
  for (const { name, kind } of await reading.fs.readDirectory(join(reading.root, path))) {
    if (kind === 'directory' && skippedFolders.has(name)) continue;
    await readEntry(reading, path === '' ? name : `${path}/${name}`, kind);
  }
}

async function readEntry(reading: Reading, path: string, kind: DirectoryEntry['kind']): Promise<void> {
  const { fs, root, files } = reading;
  if (kind === 'directory') {
    await readFolder(reading, path);
  } else if (kind === 'symlink') {
    add(reading, { path, kind: 'link', target: await linkTarget(reading, path) });
  } else if (kind === 'file') {
    const content = await fs.readFile(join(root, path), maxBytes - reading.bytes);
    reading.bytes += content.byteLength;
    add(reading, { path, kind: 'file', content });
  }
  if (files.length > maxFiles) throw tooLarge(root);
}

function add({ files }: Reading, file: PluginFile): void {
  files.push(file);
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
    groups.set(group, [...(groups.get(group) ?? []), file]);
  }
  return Object.fromEntries([...groups].map(([path, group]) => [path, hashOf(group)]));
}
