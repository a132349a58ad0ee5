import { join } from 'node:path';
import { isRecord, parseJson } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';

/** Beside the manifest of a plugin that the user installed. A package must not bring its own: installing replaces it. */
export const installRecordName = '.pincer-install.json';

const maxRecordBytes = 100_000;

/** True where a real file, no link, with a JSON object lies there. */
export async function isInstalled(fs: FileSystem, rootDir: string): Promise<boolean> {
  const path = join(rootDir, installRecordName);
  const stat = await fs.lstat(path);
  if (stat?.kind !== 'file' || stat.size > maxRecordBytes) return false;
  return isRecord(parseJson(await fs.readText(path, maxRecordBytes)));
}
