import { join, relative, resolve } from 'node:path';
import type { StarterKind } from '../../plugins/scaffold/starters.ts';
import { PincerError } from '../../base/errors.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';
import { ownNames } from './pluginsInspect.ts';

export interface NewOptions extends CliOptions {
  readonly kind: StarterKind;
  readonly name?: string;
  readonly description?: string;
  /** The folder to make; default: by its id, below `.pincer/plugins` of the workspace. */
  readonly dir?: string;
}

/** `pincer plugins new <id>`: a TypeScript plugin that works, with a test that runs. */
export async function runPluginsNew(options: NewOptions, id: string, output: Output): Promise<ExitCode> {
  const { createNodeFileSystem, checkPluginId, writeScaffold } = await import('../../runtime/index.ts');
  const wrong = checkPluginId(id, (await ownNames()).coreToolNames);
  if (wrong !== undefined) throw new PincerError('plugin_id_invalid', wrong);
  const workspace = resolve(options.workspace);
  const folder = options.dir === undefined ? join(workspace, '.pincer', 'plugins', id) : resolve(options.dir);
  const target = { fs: createNodeFileSystem(), folder, dist: import.meta.dirname };
  const { kind, name = id, description = '' } = options;
  const files = await writeScaffold(target, { id, name, description, kind });
  if (options.json === true) output.out(toJson({ id, folder, files }));
  else output.out(describeNew(id, folder, files));
  return exitCodes.ok;
}

function describeNew(id: string, folder: string, files: readonly string[]): string {
  const here = relative(process.cwd(), folder) || '.';
  return [
    `${id} is in ${here}:`,
    ...files.map((file) => `  ${relative(folder, file)}`),
    '',
    `Test it:    cd ${here} && node --test`,
    `Look at it: pincer plugins inspect ${here}`,
    `Run it:     pincer plugins enable ${id}`,
    '',
  ].join('\n');
}
