import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** The pages that VS Code and the marketplace show, with the heading of each that says how to open the others. */
const shownPages = [
  { name: 'README.md', heading: 'where-to-look-next' },
  { name: 'CHANGELOG.md', heading: undefined },
] as const;

/** Where all that ships lies; .vscodeignore says what of it. */
const shippedFolders = ['dist', 'docs', 'media'] as const;
const shippedFiles = ['.vscodeignore', 'LICENSE', 'package.json', 'package.nls.json'] as const;

/**
 * Packs what `npm run build` has left in dist/.
 * @throws PincerError `package_failed` with what vsce said.
 */
export async function packExtension({ file, baseUrl }: PackOptions = {}): Promise<PackedExtension> {
  const target = file ?? (await defaultFile());
  // vsce compares each file of its folder with each line of .vscodeignore: in the project that takes half a minute.
  const stage = await mkdtemp(join(tmpdir(), 'pincer-pack-'));
  try {
    await fillStage(stage, baseUrl);
    const links =
      baseUrl === undefined
        ? ['--no-rewrite-relative-links']
        : ['--baseContentUrl', baseUrl, '--baseImagesUrl', baseUrl];
    const { code, output } = await runProgram(
      programOf('@vscode', 'vsce', 'vsce'),
      // Everything that runs is bundled, so npm's dependencies stay out.
      [
        'package',
        '--out',
        target,
        '--no-dependencies',
        '--allow-missing-repository',
        '--follow-symlinks',
        ...links,
      ],
      { captured: true, cwd: stage },
    );
    if (code !== 0)
      throw new PincerError('package_failed', `The extension could not be packed.\n${output.trim()}`);
    return { file: target, output: output.trim() };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function fillStage(stage: string, baseUrl: string | undefined): Promise<void> {
  for (const name of shippedFolders) await symlink(join(projectRoot, name), join(stage, name), 'junction');
  for (const name of shippedFiles) await copyFile(join(projectRoot, name), join(stage, name));
  const drawings = await readDrawings();
  for (const { name, heading } of shownPages) {
    const text = await readFile(join(projectRoot, name), 'utf8');
    const isPublic = baseUrl !== undefined;
    await writeFile(join(stage, name), isPublic ? text : packedPage(text, { heading, drawings }));
  }
}

const imageFolder = 'docs/images';

/** What stands in the README of a package without public address for each of its pictures, drawn in plain text beside it. */
async function readDrawings(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(join(projectRoot, imageFolder))).filter((name) => name.endsWith('.txt'));
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => {
        const drawing = await readFile(join(projectRoot, imageFolder, name), 'utf8');
        return [`${imageFolder}/${name.replace(/\.txt$/u, '.webp')}`, drawing];
      }),
    ),
  );
}

async function defaultFile(): Promise<string> {
  const text = await readFile(join(projectRoot, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
  return join(projectRoot, 'dist', `${name}-${version}.vsix`);
}
