import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** The ripgrep that this VS Code ships; undefined where there is none that can be run. */
export async function findRipgrep(
  appRoot: string,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): Promise<string | undefined> {
  for (const each of candidates(platform, arch)) {
    const path = join(appRoot, each);
    if (await isRunnable(path)) return path;
  }
  return undefined;
}

/** Where releases of VS Code keep ripgrep below their own folder, newest first. */
function candidates(platform: NodeJS.Platform, arch: string): readonly string[] {
  const program = platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = [
    join('@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, program),
    join('@vscode', 'ripgrep', 'bin', program),
  ];
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) =>
    packages.map((each) => join(folder, each)),
  );
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
