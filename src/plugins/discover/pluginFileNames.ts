/** Which files and folders of a plugins folder count; the lists are upstream's. */

const entryExtension = /\.(?:ts|js|mts|cts|mjs|cjs)$/u;
const declarationFile = /\.d\.[cm]?ts$/u;
const testFile = /\.test\.[cm]?[jt]s$/u;
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
export const indexFiles: readonly string[] = ['index.ts', 'index.js', 'index.mjs', 'index.cjs'];

export function isPluginFile(name: string): boolean {
  return (
    entryExtension.test(name) && !declarationFile.test(name) && !testFile.test(name) && !setAside.test(name)
  );
}

export function isPluginFolder(name: string): boolean {
  return !skippedFolders.has(name) && !setAside.test(name);
}

/** File name without its extension. */
export function baseName(name: string): string {
  return name.replace(entryExtension, '');
}
