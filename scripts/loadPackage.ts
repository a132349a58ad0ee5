import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../src/base/errors.ts';
import { isRecord } from '../src/base/json.ts';
import { projectRoot } from './projectRoot.ts';

const run = promisify(execFile);

/** What a package registers, by kind, or why it does not load. */
export type Inspected =
  { readonly registers: Readonly<Record<string, readonly string[]>> } | { readonly why: string };

export const notThere = { why: 'the registry does not give it' } as const;

/** The folder of a package in the cache, fetched once; undefined where the registry has none. */
export async function fetchPackage(
  cache: string,
  name: string,
  version: string,
): Promise<string | undefined> {
  const folder = join(cache, `${name.replace(/^@openclaw\//u, '').replace('/', '-')}-${version}`);
  try {
    if (!existsSync(folder)) await fetchInto(folder, `${name}@${version}`, cache);
    return folder;
  } catch (error) {
    console.error(`${name}@${version} can't be fetched: ${errorMessage(error).split('\n')[0] ?? ''}`);
    return undefined;
  }
}

/** The registry's ordinary client; nothing of the package runs. Its dependencies lie inside its own folder, as where a plugin is installed. */
async function fetchInto(folder: string, spec: string, cache: string): Promise<void> {
  const fresh = `${folder}.part`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const { stdout } = await run('npm', [
    'pack',
    spec,
    '--pack-destination',
    cache,
    '--ignore-scripts',
    '--json',
  ]);
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  const archive = join(cache, packed?.filename ?? '');
  await run('tar', ['xf', archive, '-C', fresh, '--strip-components=1']);
  await rm(archive);
  // npm reads those of its development even where it leaves them out, and fails on `workspace:` among them.
  const manifest = join(fresh, 'package.json');
  const json = JSON.parse(await readFile(manifest, 'utf8')) as object;
  await writeFile(manifest, JSON.stringify({ ...json, devDependencies: {} }));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
  const without = ['--omit=dev', '--omit=peer', '--legacy-peer-deps'];
  await run('npm', ['install', ...quiet, ...without], { cwd: fresh });
  await cp(fresh, folder, { recursive: true, verbatimSymlinks: true });
  await rm(fresh, { recursive: true, force: true });
}

/** Loads a package as a plugin, in a process of its own: what it leaves behind ends with it. */
export async function inspectPackage(folder: string): Promise<Inspected> {
  try {
    const script = join(projectRoot, 'scripts/inspectPackage.ts');
    const { stdout } = await run(process.execPath, [script, folder], { timeout: 300_000 });
    const found: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    if (isRecord(found) && isRecord(found['registers'])) return found as Inspected;
    const why = isRecord(found) && typeof found['why'] === 'string' ? found['why'] : 'it says nothing';
    // What lies inside upstream's package is part of its program, not a plugin that stands alone.
    if (why.includes("Cannot find module '../../")) return { why: 'it imports parts of upstream’s program' };
    // Where the cache lies is nobody's business.
    return { why: why.replaceAll(folder, '…').slice(0, 300) };
  } catch (error) {
    return {
      why: `the process that loads it fails: ${errorMessage(error).split('\n')[0]?.replaceAll(folder, '…') ?? ''}`,
    };
  }
}
