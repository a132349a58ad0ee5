// Threat: what was installed comes before the guards that the program brings, so a package must not be able to say that it
// was. Records lie in a folder of their own beside the plugins, never in a package, and each counts for one folder only.
import { join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';
import { installFolder } from '../install/installFolder.ts';
import { pluginFolderName } from '../pluginFolderName.ts';
import type { PluginCandidate } from '../pluginTypes.ts';

/** Says that the user had this plugin installed; such a plugin comes before a bundled one of its id. */
export interface InstallRecord {
  readonly version: 1;
  readonly id: string;
  /** Absolute path of where it was put. */
  readonly folder: string;
  readonly pluginVersion?: string;
  /** What the user named: the absolute path of a folder or archive. */
  readonly source: string;
  /** ISO 8601, UTC. */
  readonly installedAt: string;
  /** SHA-256 over all files, as consents have it. */
  readonly hash: string;
}

const maxRecordBytes = 100_000;

/** Where the record of a plugin lies, below `installs` of the home. Pure. */
export function installRecordPath(home: string, id: string): string {
  return join(home, 'installs', `${pluginFolderName(id)}.json`);
}

/** The record of a plugin; undefined where there is none, or none for the place where it would be installed. */
export async function readInstallRecord(
  fs: FileSystem,
  home: string,
  id: string,
): Promise<InstallRecord | undefined> {
  const record = await readRecord(fs, installRecordPath(home, id));
  return record?.id === id && record.folder === installFolder(home, id) ? record : undefined;
}

/** All records of a home that count. */
export async function readInstallRecords(fs: FileSystem, home: string): Promise<readonly InstallRecord[]> {
  const entries = await orIfUnreadable([], () => fs.readDirectory(join(home, 'installs')));
  const records = await Promise.all(
    entries.map(async ({ name }) => {
      const found = await readRecord(fs, join(home, 'installs', name));
      return found === undefined ? undefined : await readInstallRecord(fs, home, found.id);
    }),
  );
  return records.filter((each) => each !== undefined);
}

/** Whether a record is about this plugin. A record of a package is about each of its plugins. Pure. */
export function isRecorded(
  id: string,
  { origin, rootDir, isLooseFile, entryName }: PluginCandidate,
  records: readonly InstallRecord[],
): boolean {
  if (origin !== 'global' || isLooseFile) return false;
  const ofPackage = entryName === undefined ? undefined : id.slice(0, -entryName.length);
  return records.some(
    (record) =>
      record.folder === rootDir &&
      (record.id === id || (ofPackage !== undefined && record.id.startsWith(ofPackage))),
  );
}

/** A record that can't be read counts as none: then the plugin ranks as one that the user put there by hand. */
async function readRecord(fs: FileSystem, path: string): Promise<InstallRecord | undefined> {
  return await orIfUnreadable(undefined, async () => {
    // A link is no record.
    if ((await fs.lstat(path))?.kind !== 'file') return undefined;
    return toRecord(parseJson(await fs.readText(path, maxRecordBytes)));
  });
}

function toRecord(value: unknown): InstallRecord | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { id, folder, pluginVersion, source, installedAt, hash } = value;
  if (typeof id !== 'string' || typeof folder !== 'string' || typeof source !== 'string') return undefined;
  if (typeof installedAt !== 'string' || typeof hash !== 'string') return undefined;
  const version = typeof pluginVersion === 'string' ? { pluginVersion } : {};
  return { version: 1, id, folder, ...version, source, installedAt, hash };
}

async function orIfUnreadable<T>(fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PincerError && error.code.startsWith('io_')) return fallback;
    throw error;
  }
}
