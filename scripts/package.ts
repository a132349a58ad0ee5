import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectRoot } from './projectRoot.ts';
import { buildExtension, programOf, runProgram } from './runProgram.ts';

/** `package`: builds and leaves `dist/<name>-<version>.vsix`. */
export async function main(): Promise<number> {
  if ((await buildExtension()) !== 0) return 1;
  const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = join(projectRoot, 'dist', `${manifest['name'] ?? ''}-${manifest['version'] ?? ''}.vsix`);
  // Everything that runs is bundled, so npm's dependencies stay out.
  const { code } = await runProgram(programOf('@vscode', 'vsce', 'vsce'), [
    'package',
    '--no-dependencies',
    '--out',
    file,
  ]);
  return code;
}
