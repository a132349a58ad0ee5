import type { FileSystem } from '../../host/ports.ts';
import { installRecordPath, type InstallRecord } from '../discover/readInstallRecord.ts';

/** Notes what is installed from now on; undefined takes the note away. */
export async function writeInstallRecord(
  fs: FileSystem,
  home: string,
  id: string,
  record: InstallRecord | undefined,
): Promise<void> {
  const path = installRecordPath(home, id);
  if (record === undefined) await fs.remove(path);
  else await fs.writeFile(path, `${JSON.stringify(record, undefined, 2)}\n`);
}
