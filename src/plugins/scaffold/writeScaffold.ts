import { join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { ifMissing } from '../../host/ifMissing.ts';
import type { FileSystem } from '../../host/ports.ts';
import { planScaffold, type ScaffoldAnswers } from './planScaffold.ts';

interface ScaffoldTarget {
  readonly fs: FileSystem;
  /** Absolute path of the new plugin folder; nothing may be there. */
  readonly folder: string;
  /** Absolute path of `dist/`, where the SDK's declarations lie. */
  readonly dist: string;
}

/**
 * Writes a new plugin and gives the absolute paths of its files, `index.ts` first.
 * @throws PincerError `plugin_id_invalid`, `plugin_folder_exists`, `io_*`
 */
export async function writeScaffold(
  { fs, folder, dist }: ScaffoldTarget,
  answers: ScaffoldAnswers,
): Promise<readonly string[]> {
  const files = planScaffold(answers, await readSdkTypes(fs, dist));
  if ((await fs.lstat(folder)) !== undefined) {
    throw new PincerError('plugin_folder_exists', `${folder} is there already.`, {
      hint: 'Choose another id, or remove it.',
    });
  }
  for (const { path, text } of files) await fs.writeFile(join(folder, path), text);
  const paths = files.map(({ path }) => path);
  return ['index.ts', ...paths.filter((path) => path !== 'index.ts')].map((path) => join(folder, path));
}

/** Undefined in a program that was built without them: the plugin then has no IntelliSense for the API. */
async function readSdkTypes(fs: FileSystem, dist: string): Promise<string | undefined> {
  return await fs.readText(join(dist, 'plugin-sdk', 'openclaw.d.ts')).catch(ifMissing(undefined));
}
