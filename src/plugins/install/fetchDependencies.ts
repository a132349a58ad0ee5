// Threat: a package names what is fetched, and could name what runs meanwhile: scripts, another git, another registry. So npm sees its
// package.json and lock file alone, in a folder of their own, with scripts off; what comes of it is scanned and agreed to like the rest.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { FileSystem } from '../../host/ports.ts';
import { runCommand, type RunCommand } from '../openclaw/runtime/runCommand.ts';
import { dependenciesFailed } from './installErrors.ts';

const args = [
  'install',
  '--ignore-scripts',
  '--omit=dev',
  '--omit=peer',
  '--legacy-peer-deps',
  '--bin-links=false',
  '--no-audit',
  '--no-fund',
];
/** A batch file can't be started without a shell; nothing in the line comes from the package. */
const npm = process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', 'npm', ...args] : ['npm', ...args];
const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json'];
const timeoutMs = 600_000;

/** The host brings these whatever is installed. */
const ofHost = ['openclaw', '@openclaw/plugin-sdk'];

/**
 * Gives the package in `folder` the `node_modules` that its package.json asks for, in place of any that it has.
 * @throws PincerError `plugin_dependencies_failed`; `folder` is as it was then
 */
export async function fetchDependencies(
  fs: FileSystem,
  folder: string,
  run: RunCommand = runCommand,
): Promise<void> {
  const work = `${folder}-npm`;
  await mkdir(work);
  try {
    await writeFile(join(work, 'package.json'), runtimeOnly(await fs.readText(join(folder, 'package.json'))));
    for (const name of lockFiles) {
      if ((await fs.stat(join(folder, name))) === undefined) continue;
      await writeFile(join(work, name), await fs.readFile(join(folder, name)));
    }
    await runNpm(run, work);
    await fs.remove(join(folder, 'node_modules'));
    await rename(join(work, 'node_modules'), join(folder, 'node_modules'));
  } finally {
    await fs.remove(work);
  }
}

async function runNpm(run: RunCommand, cwd: string): Promise<void> {
  let failure: string | undefined;
  try {
    const { code, stderr, termination } = await run(npm, { cwd, timeoutMs });
    if (termination === 'timeout') failure = `npm took more than ${String(timeoutMs / 60_000)} minutes`;
    else if (code !== 0) failure = inertLine(stderr.replace(/^npm (?:error|warn)\s*/gimu, ''), 500);
  } catch (error) {
    failure = errorMessage(error);
  }
  if (failure !== undefined) throw dependenciesFailed(failure);
}

/** What the plugin runs with. npm reads those of its development even where it leaves them out, and fails on `workspace:` among them. */
function runtimeOnly(text: string): string {
  const json = parseJson(text);
  if (!isRecord(json)) return text;
  const { devDependencies: _development, dependencies, ...rest } = json;
  if (!isRecord(dependencies)) return JSON.stringify(rest);
  const kept = Object.entries(dependencies).filter(([name]) => !ofHost.includes(name));
  return JSON.stringify({ ...rest, dependencies: Object.fromEntries(kept) });
}
