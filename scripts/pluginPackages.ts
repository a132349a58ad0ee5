import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPackage, inspectPackage, notThere, type Inspected } from './loadPackage.ts';
import { projectRoot } from './projectRoot.ts';

export const packagesPath = join(projectRoot, 'test/conformance/packages.json');

/** By the package's name: what came of loading it. */
export type PackageRows = Readonly<Record<string, { readonly version: string } & Inspected>>;

/** What was found last. */
export async function readPackageRows(): Promise<PackageRows> {
  return JSON.parse(await readFile(packagesPath, 'utf8')) as PackageRows;
}

/** Fetches each package into the cache, loads it as a plugin and says what came of it. */
export async function loadPackages(cache: string, rows: PackageRows): Promise<PackageRows> {
  const found: [string, PackageRows[string]][] = [];
  for (const [name, { version }] of Object.entries(rows)) {
    const folder = await fetchPackage(cache, name, version);
    const outcome = folder === undefined ? notThere : await inspectPackage(folder);
    found.push([name, { version, ...outcome }]);
    console.log(
      `${name} ${version}: ${'registers' in outcome ? Object.keys(outcome.registers).join(', ') : outcome.why}`,
    );
  }
  return Object.fromEntries(found);
}
