import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { PincerError } from '../src/base/errors.ts';
import { packedPage } from './packedPage.ts';
import { projectRoot } from './projectRoot.ts';
import { buildExtension, programOf, runProgram } from './runProgram.ts';

/**
 * `package [--base-url <https address>]`: builds, leaves `dist/<name>-<version>.vsix` and shows what is in it. Where the files of the
 * repository can be fetched below a public address, README and changelog keep their pictures and links, which lead there.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { 'base-url': { type: 'string' } } });
  if ((await buildExtension()) !== 0) return 1;
  console.log((await packExtension({ baseUrl: values['base-url'] })).output);
  return 0;
}

export interface PackOptions {
  /** Absolute path; default `dist/<name>-<version>.vsix`. */
  readonly file?: string;
  /** Where the files of the repository can be fetched; default nowhere. */
  readonly baseUrl?: string | undefined;
}

export interface PackedExtension {
  /** Absolute path of the `.vsix`. */
  readonly file: string;
  /** What vsce said, with the list of files. */
  readonly output: string;
}

/** The pages of the package that VS Code and the marketplace show, with the heading of each that says how to open the others. */
const shownPages = [
  { name: 'README.md', option: '--readme-path', heading: 'where-to-look-next' },
  { name: 'CHANGELOG.md', option: '--changelog-path' },
] as const;

/**
 * Packs what `npm run build` has left in dist/.
 * @throws PincerError `package_failed` with what vsce said.
 */
export async function packExtension({ file, baseUrl }: PackOptions = {}): Promise<PackedExtension> {
  const target = file ?? (await defaultFile());
  // Its place must lie in the project; two packages may be made at the same time.
  const pages = await mkdtemp(join(projectRoot, 'dist', 'pages-'));
  try {
    const { code, output } = await runProgram(
      programOf('@vscode', 'vsce', 'vsce'),
      // Everything that runs is bundled, so npm's dependencies stay out.
      [
        'package',
        '--out',
        target,
        '--no-dependencies',
        '--allow-missing-repository',
        ...(await pageArgs(pages, baseUrl)),
      ],
      { captured: true },
    );
    if (code !== 0)
      throw new PincerError('package_failed', `The extension could not be packed.\n${output.trim()}`);
    return { file: target, output: output.trim() };
  } finally {
    await rm(pages, { recursive: true, force: true });
  }
}

async function pageArgs(folder: string, baseUrl: string | undefined): Promise<readonly string[]> {
  const args: string[] = [];
  for (const { name, option, ...page } of shownPages) {
    const text = await readFile(join(projectRoot, name), 'utf8');
    const shown =
      baseUrl === undefined ? packedPage(text, 'heading' in page ? page.heading : undefined) : text;
    await writeFile(join(folder, name), shown);
    args.push(option, relative(projectRoot, join(folder, name)));
  }
  return baseUrl === undefined
    ? [...args, '--no-rewrite-relative-links']
    : [...args, '--baseContentUrl', baseUrl, '--baseImagesUrl', baseUrl];
}

async function defaultFile(): Promise<string> {
  const text = await readFile(join(projectRoot, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
  return join(projectRoot, 'dist', `${name}-${version}.vsix`);
}
