import { join } from 'node:path';
import { ifMissing } from '../../host/ifMissing.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Consent } from '../consent/consentRecords.ts';
import { pluginFolderName } from '../pluginFolderName.ts';
import type { PluginRecord } from '../pluginTypes.ts';

/**
 * Folders that nothing uses any more: of installs that were cut short, and snapshots of plugins that are gone. `known` are those
 * that are here and those with a consent: a guard that is missing only because its agent file can't be read comes back as it was
 * agreed to. What plugins have stored for themselves is not among them.
 */
export async function findLeftovers(
  fs: FileSystem,
  places: { readonly home: string; readonly stateFolder?: string },
  known: readonly Pick<PluginRecord, 'id'>[],
): Promise<readonly string[]> {
  const { home, stateFolder } = places;
  const cutShort = (await foldersIn(fs, home)).filter((name) => name.startsWith('.install-'));
  const found = cutShort.map((name) => join(home, name));
  if (stateFolder === undefined) return found;
  const snapshots = join(stateFolder, 'plugin-snapshots');
  const used = new Set(known.map(({ id }) => pluginFolderName(id)));
  const unused = (await foldersIn(fs, snapshots)).filter((name) => !used.has(name));
  return [...found, ...unused.map((name) => join(snapshots, name))];
}

/** Consents for plugins that are not here and whose folders are gone, all of them: a consent is forgotten by its id. */
export async function findLostConsents(
  fs: FileSystem,
  consents: readonly Consent[],
  plugins: readonly Pick<PluginRecord, 'id'>[],
): Promise<readonly Consent[]> {
  const used = new Set(plugins.map(({ id }) => id));
  for (const { id, rootDir } of consents) if ((await fs.stat(rootDir)) !== undefined) used.add(id);
  return consents.filter(({ id }) => !used.has(id));
}

async function foldersIn(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const entries = await fs.readDirectory(folder).catch(ifMissing([]));
  return entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
}
