import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { projectRoot } from './projectRoot.ts';

/** For each file: the files that it imports. Paths are relative to the project. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** By the relative paths that files name, in types too; what plugins and fixtures import by other names is none of ours. */
export async function readImports(folders: readonly string[]): Promise<Imports> {
  const lists = await Promise.all(
    folders.map((folder) =>
      readdir(join(projectRoot, folder), { recursive: true }).then((names) =>
        names.map((name) => join(folder, name)),
      ),
    ),
  );
  const files = lists.flat().filter((file) => file.endsWith('.ts') && !file.includes('fixture'));
  const known = new Set(files);
  const read = async (file: string): Promise<readonly [string, readonly string[]]> => {
    const text = await readFile(join(projectRoot, file), 'utf8');
    const paths = namedPaths(text).map((path) =>
      relative(projectRoot, resolve(projectRoot, dirname(file), path)),
    );
    return [file, paths.filter((path) => known.has(path))];
  };
  return new Map(await Promise.all(files.map(read)));
}

/** The relative paths that a file imports, re-exports or loads later. */
export function namedPaths(text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\(?|URL\()\s*'(\.[^']+\.ts)'/gu)].map(([, path = '']) => path);
}
