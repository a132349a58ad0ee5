import { join } from 'node:path';
import type { FileSystem } from '../../host/ports.ts';
import type { Consent } from '../consent/consentRecords.ts';
import { settingsName } from '../consent/judgeConsent.ts';
import { fileHashes, readPluginFiles } from '../consent/readPluginFiles.ts';
import { pluginFolderName } from '../pluginFolderName.ts';
import type { PluginRecord } from '../pluginTypes.ts';

/** A file that is not what the user agreed to. Both are absolute; `before` is absent for a new one, `after` for one that is gone. */
export interface PluginChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * What has changed in a plugin since the user agreed to it; undefined where the copy of that time is not kept any more.
 * `node_modules` and settings count as one file each, and have no sides.
 */
export async function findPluginChanges(
  fs: FileSystem,
  snapshotsDir: string,
  { id, rootDir, needsConsent }: Pick<PluginRecord, 'id' | 'rootDir' | 'needsConsent'>,
  consents: readonly Consent[],
): Promise<readonly PluginChange[] | undefined> {
  const consent = consents.find((each) => each.id === id && each.rootDir === rootDir);
  if (consent === undefined || needsConsent === undefined) return undefined;
  const agreed = await findCopy(fs, join(snapshotsDir, pluginFolderName(id)), consent);
  if (agreed === undefined) return undefined;
  return await Promise.all(
    needsConsent.changedFiles.map(async (path): Promise<PluginChange> => {
      const [before, after] = [join(agreed, path), join(rootDir, path)];
      return {
        path,
        ...((await isFile(fs, before)) ? { before } : {}),
        ...((await isFile(fs, after)) ? { after } : {}),
      };
    }),
  );
}

/** The folder that holds exactly what was agreed to. */
async function findCopy(fs: FileSystem, folder: string, { files }: Consent): Promise<string | undefined> {
  if ((await fs.stat(folder)) === undefined) return undefined;
  const { [settingsName]: _settings, ...agreed } = files;
  for (const { name } of await fs.readDirectory(folder)) {
    const rootDir = join(folder, name, 'plugin');
    if ((await fs.stat(rootDir)) === undefined) continue;
    const held = fileHashes((await readPluginFiles(fs, { rootDir })).files);
    const isSame =
      Object.keys(held).length === Object.keys(agreed).length &&
      Object.entries(held).every(([path, hash]) => agreed[path] === hash);
    if (isSame) return rootDir;
  }
  return undefined;
}

async function isFile(fs: FileSystem, path: string): Promise<boolean> {
  return (await fs.stat(path))?.kind === 'file';
}
