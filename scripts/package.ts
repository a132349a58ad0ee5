import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PincerError } from '../src/base/errors.ts';
import { projectRoot } from './projectRoot.ts';
import { buildExtension, programOf, runProgram } from './runProgram.ts';

/** `package`: builds, leaves `dist/<name>-<version>.vsix` and shows what is in it. */
export async function main(): Promise<number> {
  if ((await buildExtension()) !== 0) return 1;
  console.log((await packExtension()).output);
  return 0;
}

export interface PackedExtension {
  /** Absolute path of the `.vsix`. */
  readonly file: string;
  /** What vsce said, with the list of files. */
  readonly output: string;
}

/**
 * Packs what `npm run build` has left in dist/ into `file`; default `dist/<name>-<version>.vsix`.
 * @throws PincerError `package_failed` with what vsce said.
 */
export async function packExtension(file?: string): Promise<PackedExtension> {
  const target = file ?? (await defaultFile());
  // Everything that runs is bundled, so npm's dependencies stay out. While package.json names no public repository, the README's
  // links lead to files of the package; VS Code's page of an extension follows none of them, `Pincer: Open Documentation` does.
  const { code, output } = await runProgram(
    programOf('@vscode', 'vsce', 'vsce'),
    [
      ...['package', '--out', target, '--no-dependencies'],
      ...['--allow-missing-repository', '--no-rewrite-relative-links'],
    ],
    { captured: true },
  );
  if (code !== 0)
    throw new PincerError('package_failed', `The extension could not be packed.\n${output.trim()}`);
  return { file: target, output: output.trim() };
}

async function defaultFile(): Promise<string> {
  const text = await readFile(join(projectRoot, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
  return join(projectRoot, 'dist', `${name}-${version}.vsix`);
}
