import { isBuiltin } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import type { FileSystem } from '../../host/ports.ts';
import { isInside } from '../../plugins/discover/isInside.ts';

interface FoundImports {
  /** The file and all that it imports from its folder, directly or not; relative to that folder, with forward slashes. */
  readonly paths: readonly string[];
  /** Names of npm packages that one of them imports. */
  readonly packages: readonly string[];
}

const maxFiles = 500;
const maxBytes = 4_000_000;

/**
 * Follows the imports of a file within its folder, and by their syntax alone: what is missing, or what a link or `..` puts elsewhere,
 * is left out, and loading says so. Runs no code.
 * @throws PincerError `io_*`
 */
export async function findImports(fs: FileSystem, source: string): Promise<FoundImports> {
  const rootDir = dirname(source);
  const found = new Set([source]);
  const packages = new Set<string>();
  for (const path of found) {
    if (!code.test(path) || ((await fs.stat(path))?.size ?? 0) > maxBytes) continue;
    for (const name of importsOf(await fs.readText(path, maxBytes))) {
      if (!name.startsWith('.')) {
        const named = packageOf(name);
        if (named !== undefined) packages.add(named);
        continue;
      }
      const file = await fileBehind(fs, join(dirname(path), name));
      if (file !== undefined && found.size < maxFiles && (await liesIn(fs, rootDir, file))) found.add(file);
    }
  }
  return {
    paths: [...found].map((path) => relative(rootDir, path).replaceAll('\\', '/')),
    packages: [...packages],
  };
}

const code = /\.[cm]?[jt]sx?$/u;
const request = /\b(?:from|import|require)\b\s*\(?\s*(?<quote>['"`])(?<name>[^'"`\n]{1,500})\k<quote>/gu;

/** What a module asks for by name; imports of types are gone before it runs. Pure. */
function importsOf(text: string): readonly string[] {
  return [...text.matchAll(request)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 400), match.index);
    const statement = before.slice(Math.max(before.lastIndexOf('import'), before.lastIndexOf('export'), 0));
    const isOfTypes = match[0].startsWith('from') && /^(?:im|ex)port\s+type\s/u.test(statement);
    return isOfTypes ? [] : [match.groups?.['name'] ?? ''];
  });
}

/** Undefined for what needs no installing. */
function packageOf(name: string): string | undefined {
  if (isBuiltin(name) || !/^@?[\w~]/u.test(name) || /^(?:@dexto\/|@core(?:\/|$)|\w+:)/u.test(name))
    return undefined;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What an import may leave away. */
export const codeEndings = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];

/** The file that an import without its ending, or with that of what is compiled, means. */
async function fileBehind(fs: FileSystem, path: string): Promise<string | undefined> {
  const ending = extname(path);
  const typed = /^\.[cm]?jsx?$/u.test(ending)
    ? [path.slice(0, -ending.length) + ending.replace('j', 't')]
    : [];
  const indexes = codeEndings.map((each) => join(path, `index${each}`));
  for (const candidate of [path, ...typed, ...codeEndings.map((each) => path + each), ...indexes]) {
    if ((await fs.stat(candidate))?.kind === 'file') return candidate;
  }
  return undefined;
}

/** Threat: a link in a cloned repository leads to a file of the user's, which then would be agreed to and copied as code. */
async function liesIn(fs: FileSystem, rootDir: string, file: string): Promise<boolean> {
  return isInside(rootDir, file) && isInside(await fs.realpath(rootDir), await fs.realpath(file));
}
