import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pluginFolderName } from '../../../src/plugins/pluginFolderName.ts';

/** Writes the record that an install of this plugin leaves; `folder` is where it says that the plugin lies. */
export async function writeRecord(home: string, id: string, folder: string): Promise<void> {
  const path = join(home, 'installs', `${pluginFolderName(id)}.json`);
  await mkdir(dirname(path), { recursive: true });
  const installedAt = '2026-05-01T00:00:00.000Z';
  await writeFile(path, JSON.stringify({ version: 1, id, folder, source: '/from', installedAt, hash: 'x' }));
}
