import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSystem } from '../../host/ports.ts';
import { readInstallRecord, type InstallRecord } from '../discover/readInstallRecord.ts';
import type { PluginRecord } from '../pluginTypes.ts';
import { notInstalled } from './installErrors.ts';
import { installFolder } from './installFolder.ts';
import { writeInstallRecord } from './installRecord.ts';

interface UninstallParts {
  readonly fs: FileSystem;
  readonly home: string;
  /** The plugins that are known, to say where one lies that can't be uninstalled. */
  readonly others: readonly PluginRecord[];
  /** Asks the user. */
  readonly confirm: (installed: InstalledPlugin) => Promise<boolean>;
}

export interface InstalledPlugin {
  readonly record: InstallRecord;
  readonly folder: string;
}

/**
 * Removes a plugin that `installPlugin` has put in place; false where the user declined.
 * @throws PincerError `plugin_not_installed`, `io_*`
 */
export async function uninstallPlugin(parts: UninstallParts, id: string): Promise<boolean> {
  const { fs, home } = parts;
  const installed = await findInstalled(fs, home, id);
  if (installed === undefined) throw notInstalled(id, whereItLies(parts.others, id));
  if (!(await parts.confirm(installed))) return false;
  // Out of sight at once: half a plugin must not be found by a load.
  const aside = join(home, `.install-${randomUUID()}`);
  await rename(installed.folder, aside);
  await writeInstallRecord(fs, home, id, undefined);
  await fs.remove(aside);
  return true;
}

/** An installed plugin by its id; undefined where none is. A link is not followed: what it leads to is not ours. */
export async function findInstalled(
  fs: FileSystem,
  home: string,
  id: string,
): Promise<InstalledPlugin | undefined> {
  const folder = installFolder(home, id);
  if ((await fs.lstat(folder))?.kind !== 'directory') return undefined;
  const record = await readInstallRecord(fs, home, id);
  return record === undefined ? undefined : { record, folder };
}

function whereItLies(others: readonly PluginRecord[], id: string): string {
  const plugin = others.find((each) => each.id === id);
  if (plugin === undefined) return 'pincer plugins list names all that are there.';
  if (plugin.origin === 'bundled') return `It comes with pincer; switch it off: pincer plugins disable ${id}`;
  return `It lies in ${plugin.rootDir}; remove that, or switch it off: pincer plugins disable ${id}`;
}
