import { join } from 'node:path';
import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';
import { installRecordName } from '../discover/readInstallRecord.ts';

const recordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  pluginVersion: z.string().optional(),
  /** What the user named: the absolute path of a folder or archive. */
  source: z.string(),
  /** ISO 8601, UTC. */
  installedAt: z.string(),
  /** SHA-256 over all files but this one, as consents have it. */
  hash: z.string(),
});

/** Says that the user had this plugin installed; such a plugin comes before a bundled one of its id (rulings P2). */
export type InstallRecord = Readonly<z.infer<typeof recordSchema>>;

/** The record of the plugin in `folder`; undefined where there is none that can be read as one. */
export async function readInstallRecord(fs: FileSystem, folder: string): Promise<InstallRecord | undefined> {
  try {
    const parsed = recordSchema.safeParse(
      parseJson(await fs.readText(join(folder, installRecordName), 100_000)),
    );
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof PincerError && error.code.startsWith('io_')) return undefined;
    throw error;
  }
}

export async function writeInstallRecord(
  fs: FileSystem,
  folder: string,
  record: InstallRecord,
): Promise<void> {
  await fs.writeFile(join(folder, installRecordName), `${JSON.stringify(record, undefined, 2)}\n`);
}
