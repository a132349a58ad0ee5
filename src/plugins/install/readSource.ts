import type { FileSystem } from '../../host/ports.ts';
import { readPluginFiles, type PluginFile } from '../consent/readPluginFiles.ts';
import { notInstallable } from './installErrors.ts';
import { readArchive } from './readArchive.ts';

/** What once said in a package that it was installed; records lie elsewhere now. */
const formerRecordName = '.pincer-install.json';

export interface InstallSource {
  readonly kind: 'folder' | 'archive';
  readonly files: readonly PluginFile[];
}

/**
 * The files of what the user named, a folder or a `.tgz`. A record of former installs is left out.
 * @throws PincerError `plugin_not_installable`, `plugin_archive_refused`, `plugin_link_escapes`, `plugin_too_large`, `io_*`
 */
export async function readSource(fs: FileSystem, path: string): Promise<InstallSource> {
  const kind = (await fs.stat(path))?.kind;
  if (kind === undefined)
    throw notInstallable(`There is nothing at ${path}.`, 'Name a plugin folder or a .tgz.');
  if (kind === 'directory') {
    const { files } = await readPluginFiles(fs, { rootDir: path });
    return { kind: 'folder', files: withoutRecord(files) };
  }
  if (kind === 'file' && /\.(?:tgz|tar\.gz)$/iu.test(path)) {
    return { kind: 'archive', files: withoutRecord(await readArchive(fs, path)) };
  }
  throw notInstallable(`${path} is neither a folder nor a .tgz.`, 'Name a plugin folder or a .tgz.');
}

function withoutRecord(files: readonly PluginFile[]): readonly PluginFile[] {
  return files.filter(({ path }) => path.toLowerCase() !== formerRecordName);
}
