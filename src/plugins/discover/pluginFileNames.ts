import { isCode } from '../consent/ownCode.ts';

/** Which files and folders of a plugins folder count; the lists are upstream's. */

const entryExtension = /\.(?:ts|js|mts|cts|mjs|cjs)$/u;
const typeScript = /\.[cm]?ts$/u;
const declarationFile = /\.d\.[cm]?ts$/u;
const setAside = /\.bak$|\.backup-|\.disabled/u;
const skippedFolders = new Set([
  '.git',
  '.hg',
  '.svn',
  '.turbo',
  '.yarn',
  '.yarn-cache',
  'build',
  'coverage',
  'dist',
  'node_modules',
]);

/** Tried in this order in a folder whose package.json names no entry. */
export const indexFiles: readonly string[] = ['ts', 'js', 'mjs', 'cjs', 'mts', 'cts'].map(
  (extension) => `index.${extension}`,
);

export function isPluginFile(name: string): boolean {
  return entryExtension.test(name) && isCode(name) && !setAside.test(name);
}

export function isPluginFolder(name: string): boolean {
  return !skippedFolders.has(name) && !setAside.test(name);
}

export function isTypeScript(name: string): boolean {
  return typeScript.test(name) && !declarationFile.test(name);
}

/** File name without its extension. */
export function baseName(name: string): string {
  return name.replace(entryExtension, '');
}

/** Where a build puts what it makes of the TypeScript entry `./src/a.ts`; empty for other entries. Relative paths. */
export function builtEntries(entry: string): readonly string[] {
  const path = entry.replace(/^\.[\\/]/u, '');
  if (!isTypeScript(path)) return [];
  const stem = path.replace(typeScript, '');
  const stems = new Set([`dist/${stem}`, `dist/${stem.replace(/^src\//u, '')}`, stem]);
  return [...stems].flatMap((each) => ['js', 'mjs', 'cjs'].map((extension) => `${each}.${extension}`));
}
