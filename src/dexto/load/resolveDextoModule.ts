import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editDistance } from '../../base/editDistance.ts';
import type { PluginEntry } from '../agentFile/agentFile.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import { createResolver } from '../../plugins/load/createResolver.ts';
import { loadFailure } from './loadFailure.ts';
import type { DextoFailure, DextoModule, ResolveDextoModule } from './loadTypes.ts';

/**
 * The file behind `module` of a plugin: an absolute path (Dexto plugin specification, Path Resolution), or an npm package that is installed in the
 * agent's folder or above it (its TODO). A path below the agent's folder that lies in a package takes that package along, so
 * that what it imports is there. Runs no code.
 */
export const resolveDextoModule: ResolveDextoModule = (entry, agent) => {
  const { module = '' } = entry;
  if (isRelative(module)) return Promise.resolve(relativePath(entry, agent.path));
  try {
    const source = createResolver().resolve(module, agent.path, 'import');
    if (!/\.[cm]?[jt]sx?$/u.test(source)) return Promise.resolve(noCode(entry, agent.path, source));
    const found = packageOf(source, module, agent.dir);
    return Promise.resolve({ ok: true as const, source, ...found });
  } catch (error) {
    return Promise.resolve(notFound(entry, agent, error));
  }
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A bare name with a folder and the ending of a file is a path that lacks its beginning. */
function isRelative(module: string): boolean {
  if (module === '' || module.startsWith('.')) return true;
  return !isPath(module) && !module.startsWith('@') && /[\\/].*\.[cm]?[jt]sx?$/u.test(module);
}

function isPath(module: string): boolean {
  return isAbsolute(module) || module.startsWith('file:');
}

/** The package that the plugin is; its folder holds everything that may run. */
function packageOf(source: string, module: string, agentDir: string): Omit<DextoModule, 'source'> {
  const name = isPath(module) ? undefined : packageName(module);
  for (let folder = dirname(source); folder !== dirname(folder); folder = dirname(folder)) {
    const isInPackages = /[\\/]node_modules(?:[\\/]|$)/u.test(folder);
    // A path outside of the agent's folder, and of packages, is a file alone: what lies above it is nobody's plugin.
    const mayBe = name !== undefined || isInPackages || (folder !== agentDir && isInside(agentDir, folder));
    if (!mayBe || /[\\/]node_modules$/u.test(folder)) return {};
    const json = readPackageJson(folder);
    if (json === undefined || (name !== undefined && json['name'] !== name)) continue;
    const version = json['version'];
    return { packageDir: folder, ...(typeof version === 'string' ? { version } : {}) };
  }
  return {};
}

function readPackageJson(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = parseJson(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isRecord(json) ? json : undefined;
  } catch {
    // None here, which is the usual case.
    return undefined;
  }
}

function packageName(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}

function relativePath(entry: PluginEntry, agentFile: string): DextoFailure {
  return loadFailure({
    ...{ entry, agentFile },
    phase: 'validation',
    code: 'PLUGIN_CONFIGURATION_INVALID',
    message: `plugin '${entry.name}': module must be an absolute path or the name of a package, not ${entry.module ?? 'empty'}`,
    hint: 'Begin it with ${{dexto.agent_dir}}/, which stands for the folder of the agent file.',
  });
}

function noCode(entry: PluginEntry, agentFile: string, source: string): DextoFailure {
  return loadFailure({
    ...{ entry, agentFile },
    phase: 'load',
    code: 'PLUGIN_LOAD_FAILED',
    message: `plugin '${entry.name}': ${source} is no TypeScript or JavaScript by its name`,
    hint: 'Name a file that ends in .ts, .js, .mjs or .cjs.',
  });
}

/** A file beside it whose name is nearly the same, or what of the path is there. */
function nearbyHint(module: string): string {
  const path = module.startsWith('file:') ? fileURLToPath(module) : module;
  const folder = dirname(path);
  if (!isFolder(folder)) return `There is no folder ${folder} either: correct module in the agent file.`;
  const wanted = basename(path);
  const [nearest] = nearestFirst(
    wanted,
    readdirSync(folder)
      .filter((name) => codeName.test(name))
      .slice(0, maxNear),
  );
  return nearest !== undefined && editDistance(wanted, nearest) <= 4
    ? `Did you mean ${join(folder, nearest)}?`
    : 'Correct module in the agent file, or put the file there.';
}

/** Of a folder without an index. */
function folderHint(folder: string): string {
  const [file, ...others] = readdirSync(folder).filter((name) => codeName.test(name));
  return file === undefined || others.length > 0
    ? 'Name the file itself, or put an index.ts there.'
    : `Name the file itself: ${join(folder, file)}.`;
}

const codeName = /\.[cm]?[jt]sx?$/u;
const maxNear = 1_000;

function notFound(
  entry: PluginEntry,
  agent: { readonly path: string; readonly dir: string },
  error: unknown,
): DextoFailure {
  const { module = '' } = entry;
  const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
  const about = { entry, agentFile: agent.path, phase: 'load' } as const;
  if (!isMissing) {
    const message = `plugin '${entry.name}': ${module} could not be resolved: ${errorMessage(error)}`;
    const hint = 'Correct module, or what the package.json there says in exports.';
    return loadFailure({ ...about, code: 'PLUGIN_LOAD_FAILED', message, hint });
  }
  if (isPath(module)) {
    if (isFolder(module))
      return loadFailure({
        ...about,
        code: 'PLUGIN_LOAD_FAILED',
        message: `plugin '${entry.name}': ${module} is a folder, and no file index.ts or index.js is in it`,
        hint: folderHint(module),
      });
    return loadFailure({
      ...about,
      code: 'PLUGIN_LOAD_FAILED',
      message: `plugin '${entry.name}': there is no file ${module}`,
      hint: nearbyHint(module),
    });
  }
  return loadFailure({
    ...about,
    code: 'PLUGIN_DEPENDENCY_NOT_INSTALLED',
    message: `plugin '${entry.name}': package ${packageName(module)} is not installed in ${agent.dir} or above`,
    hint: `Run npm install ${packageName(module)} in ${agent.dir}.`,
  });
}
