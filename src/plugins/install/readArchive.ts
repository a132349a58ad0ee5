import { gunzipSync } from 'node:zlib';
import type { FileSystem } from '../../host/ports.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';
import { archiveError } from './installErrors.ts';
import { readTar } from './readTar.ts';

const maxArchiveBytes = 50_000_000;
const maxArchiveFiles = 5_000;

/**
 * The files of a packed plugin as `npm pack` makes it; the folder that holds them all, `package/`, is taken away. Nothing is
 * written. At most 50 MB unpacked and 5 000 files.
 * @throws PincerError `plugin_archive_refused`, `io_*`
 */
export async function readArchive(fs: FileSystem, path: string): Promise<readonly PluginFile[]> {
  const files = readTar(unzip(await fs.readFile(path, maxArchiveBytes)), maxArchiveFiles);
  if (files.length === 0) throw archiveError('it is empty');
  const [first = ''] = (files[0]?.path ?? '').split('/');
  const isWrapped = files.every((file) => file.path.startsWith(`${first}/`));
  return files.map(({ path: name, content }) => ({
    kind: 'file',
    path: isWrapped ? name.slice(first.length + 1) : name,
    content,
  }));
}

function unzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxArchiveBytes });
  } catch (error) {
    const isBomb = error instanceof RangeError;
    throw isBomb
      ? archiveError(
          `it unpacks to more than ${String(maxArchiveBytes / 1_000_000)} MB`,
          'Bundle the plugin.',
        )
      : archiveError('it is no .tgz file, or it is damaged');
  }
}
