import { dirname, basename, extname, isAbsolute, relative, sep } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { AgentFile, PluginEntry } from '../agentFile/agentFile.ts';
import type { AgentFileInput } from '../agentFile/readAgentFile.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { createLibraries } from '../../plugins/openclaw/createLibraries.ts';
import { errorDiagnostic, warnDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import { createDextoModules } from '../load/createDextoModules.ts';
import { dextoCoreVersion } from '../load/dextoCoreVersion.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import { realPathOr } from '../../plugins/realPathOr.ts';
import { resolveDextoModule } from '../load/resolveDextoModule.ts';
import { bundleFormat, type BundledPlugin, type AgentBundle } from './agentBundle.ts';
import { collectModules, type CollectProblem, type CollectedModule } from './collectModules.ts';
import { packWithEsbuild, type PackedModules } from './packWithEsbuild.ts';
import { isRecord } from '../../base/json.ts';
import { parseAgentFile, type AgentFileReading, type AgentText } from '../agentFile/parseAgentFile.ts';
import { parseAgentYaml } from '../agentFile/parseAgentYaml.ts';
import { moduleParameters } from '../../plugins/load/compileModule.ts';

export interface BundleAgentInput extends Omit<AgentFileInput, 'origin'> {
  readonly fs: FileSystem;
  /** Default: every file whole. */
  readonly bundler?: Bundler;
}

/** The project's esbuild takes what nothing uses away, and with `minify` names and lines, too. */
export interface Bundler {
  readonly name: 'esbuild';
  readonly minify: boolean;
}

/** A bundle, not written yet. */
export interface BundledAgent {
  /** The text of the one file. */
  readonly text: string;
  /** Custom plugins that are in it. */
  readonly plugins: readonly { readonly name: string; readonly version?: string }[];
  /** How many files of code and data are in it. */
  readonly modules: number;
  /** What may be missing when it runs. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Makes one CommonJS file of an agent file and all that its custom plugins import (Dexto plugin specification, Build-Time Plugin Bundling). Runs no code of
 * them. Plugins that are switched off stay out. `$NAME` stays as it stands: values are read where the bundle runs.
 * @throws BundleError with everything that is wrong
 */
export async function bundleAgent({ fs, bundler, ...input }: BundleAgentInput): Promise<BundledAgent> {
  const path = await fs.realpath(input.path);
  const agent = { path, dir: dirname(path) };
  const text = await fs.readText(path);
  const { file, diagnostics } = readAgentToBundle({ ...input, ...agent, text });
  if (file === undefined) throw new BundleError(diagnostics);
  const custom = file.plugins.filter(({ kind, enabled }) => kind === 'custom' && enabled);
  const found = await findEntries(custom, agent);
  const {
    modules,
    problems,
    files: packed,
  } = await packModules(
    found.map(({ source }) => source),
    agent,
    bundler,
  );
  const told = problems.map(toDiagnostic);
  if (told.some(({ level }) => level === 'error')) throw new BundleError(told);
  const { prompts, files } = await readPrompts(fs, file);
  const own = await Promise.all([agent.dir, ...input.roots].map((folder) => realPathOr(fs, folder)));
  const strangers = [...files, ...packed].filter((each) => isStranger(each, own));
  const names = nameModules([...modules.keys()], agent.dir);
  const plugins = Object.fromEntries(
    found.map(({ name, source, version }): [string, BundledPlugin] => [
      name,
      { entry: names.get(source) ?? source, ...(version === undefined ? {} : { version }) },
    ]),
  );
  return {
    text: printBundle({
      ...{ format: bundleFormat, apiVersion: dextoCoreVersion, plugins, modules, names },
      agent: { text, prompts },
    }),
    plugins: found.map(({ name, version }) => ({ name, ...(version === undefined ? {} : { version }) })),
    modules: packed.length,
    warnings: [...told, ...strangers.map(strangerIn)],
  };
}

async function packModules(
  entries: readonly string[],
  { path, dir }: { readonly path: string; readonly dir: string },
  bundler: Bundler | undefined,
): Promise<PackedModules> {
  // It keeps nothing of its own while nothing runs.
  const provided = createDextoModules({ name: 'bundle', stateDir: dir });
  const around = { provided, libraries: createLibraries() };
  if (bundler !== undefined)
    return await packWithEsbuild(entries, { ...around, dir, minify: bundler.minify });
  const { createJiti } = await import('jiti');
  const jiti = createJiti(path, { fsCache: false, moduleCache: false });
  const collected = collectModules(entries, { ...around, jiti });
  return { ...collected, files: [...collected.modules.keys()] };
}

/** Why there is no bundle. Code `bundle_failed`; the message has all errors, each on a line with file and line. */
export class BundleError extends PincerError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ level }) => level === 'error');
    super('bundle_failed', errors.map(placed).join('\n'), {
      hint: 'Nothing was written.',
      ...placeOf(errors[0]),
    });
    this.diagnostics = diagnostics;
  }
}

function placed({ source, line, message, hint }: Diagnostic): string {
  const place = [source, line].filter((part) => part !== undefined).join(':');
  const next = hint === undefined ? '' : `${message.endsWith('.') ? '' : '.'} ${hint}`;
  return `${place === '' ? '' : `${place} `}${message}${next}`;
}

/** For who reads the error as data. */
function placeOf(first: Diagnostic | undefined): { readonly source?: string; readonly line?: number } {
  const { source, line } = first ?? {};
  return { ...(source === undefined ? {} : { source }), ...(line === undefined ? {} : { line }) };
}

async function findEntries(
  entries: readonly PluginEntry[],
  agent: { readonly path: string; readonly dir: string },
): Promise<readonly { readonly name: string; readonly source: string; readonly version?: string }[]> {
  const outcomes = await Promise.all(
    entries.map(async (entry) => ({ name: entry.name, ...(await resolveDextoModule(entry, agent)) })),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.diagnostic]));
  if (failures.length > 0) throw new BundleError(failures);
  return outcomes.flatMap((outcome) => (outcome.ok ? [outcome] : []));
}

function toDiagnostic({ level, path, line, message, hint }: CollectProblem): Diagnostic {
  const place = {
    source: path,
    ...(line === undefined ? {} : { line }),
    ...(hint === undefined ? {} : { hint }),
  };
  return level === 'error'
    ? errorDiagnostic('bundle_failed', message, place)
    : warnDiagnostic('bundle_incomplete', message, place);
}

/** Texts of the system prompt by the ids of their parts, and the files that they come from, links resolved. */
async function readPrompts(
  fs: FileSystem,
  { systemPrompt }: AgentFile,
): Promise<{ readonly prompts: Readonly<Record<string, string>>; readonly files: readonly string[] }> {
  const read = systemPrompt.flatMap((part) => (part.type === 'file' ? [part] : []));
  const texts = await Promise.all(
    read.map(async ({ id, files }): Promise<[string, string]> => {
      const parts = await Promise.all(files.map((file) => fs.readText(file)));
      return [id, parts.join('\n\n')];
    }),
  );
  const files = await Promise.all(read.flatMap((part) => part.files).map((file) => fs.realpath(file)));
  return { prompts: Object.fromEntries(texts), files };
}

/** Threat: a cloned repository names a file of the user's, and whoever gets the bundle reads it. */
function isStranger(path: string, own: readonly string[]): boolean {
  return !own.some((folder) => isInside(folder, path)) && !/[\\/]node_modules[\\/]/u.test(path);
}

function strangerIn(path: string): Diagnostic {
  const message = `${path} lies outside of the workspace; what it holds is in the bundle`;
  return warnDiagnostic('bundle_stranger', message, {
    source: path,
    hint: 'Look at it before you pass the bundle on.',
  });
}

/**
 * Checks an agent file as it will be checked where the bundle runs, but for environment variables: they need not be set here. Then only
 * the parts that a bundle needs are read. Pure.
 */
function readAgentToBundle(input: Omit<AgentText, 'origin' | 'projectDir'>): AgentFileReading {
  const whole = { ...input, origin: 'user', projectDir: input.roots[0] } as const;
  const reading = parseAgentFile(whole);
  if (reading.file !== undefined) return reading;
  const missing = reading.diagnostics.filter(({ code }) => code === 'agent_file_env_missing');
  const isOfMissing = (line: number | undefined): boolean => missing.some((each) => each.line === line);
  const others = reading.diagnostics.filter(({ level, line }) => level === 'error' && !isOfMissing(line));
  const parsed = parseAgentYaml(input.text);
  if (others.length > 0 || !parsed.ok || !isRecord(parsed.value)) return reading;
  const { plugins, hooks, systemPrompt } = parsed.value;
  // JSON is YAML.
  return parseAgentFile({
    ...whole,
    text: JSON.stringify({ plugins, hooks, systemPrompt }),
    env: anyVariable(input.env),
  });
}

/** Every variable has a value; those that are not set hold a word that nothing reads. */
function anyVariable(env: AgentText['env']): AgentText['env'] {
  const valueOf = (name: PropertyKey): string => env[String(name)] ?? 'unset';
  return new Proxy(env, {
    get: (_, name) => valueOf(name),
    getOwnPropertyDescriptor: (_, name) => ({ value: valueOf(name), enumerable: true, configurable: true }),
  });
}

/**
 * The key of each file in a bundle: its path below the agent's folder, of packages elsewhere from `node_modules` on, of other files their
 * name; so that nothing tells of the folders of this machine. Pure.
 */
function nameModules(paths: readonly string[], agentDir: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const path of paths) {
    const wanted = nameOf(path, agentDir);
    const ending = extname(wanted);
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1)
      name = `${wanted.slice(0, wanted.length - ending.length)}~${count}${ending}`;
    taken.add(name);
    names.set(path, name);
  }
  return names;
}

function nameOf(path: string, agentDir: string): string {
  const below = relative(agentDir, path);
  const parts = (below.startsWith('..') || isAbsolute(below) ? path : below).split(sep);
  const isBelow = parts.join(sep) === below;
  if (isBelow) return parts.join('/');
  const packages = parts.indexOf('node_modules');
  return packages === -1 ? `modules/${basename(path)}` : parts.slice(packages).join('/');
}

interface BundleContent extends Pick<AgentBundle, 'format' | 'apiVersion' | 'agent'> {
  readonly plugins: Readonly<Record<string, BundledPlugin>>;
  readonly modules: ReadonlyMap<string, CollectedModule>;
  /** The key of each path in `modules`. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The text of a bundle: one CommonJS module that runs nothing when it is loaded. The same content gives the same text; code stays as it
 * was compiled, line by line. Pure.
 */
function printBundle({ names, modules, ...content }: BundleContent): string {
  const waits = waitingModules(modules);
  const printed = [...modules.values()]
    .map((module) => ({ key: names.get(module.path) ?? module.path, module }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, module }) => `    ${JSON.stringify(key)}: ${printModule(module, names, waits)},\n`);
  return [
    '// An agent and its plugins, made by `pincer bundle`. Run it with `pincer agent --bundle <this file>`.\n',
    'module.exports = {\n',
    `  format: ${content.format},\n`,
    `  apiVersion: ${JSON.stringify(content.apiVersion)},\n`,
    `  agent: ${printData(content.agent)},\n`,
    `  plugins: ${printData(content.plugins)},\n`,
    `  modules: {\n${printed.join('')}  },\n`,
    '};\n',
  ].join('');
}

function printModule(
  { path, imports, compiled, waiting, data }: CollectedModule,
  names: ReadonlyMap<string, string>,
  waits: ReadonlySet<string>,
): string {
  if (compiled === undefined) return `{ format: 'json', data: ${printData(data)} }`;
  const keys = Object.fromEntries([...imports].map(([name, target]) => [name, names.get(target) ?? target]));
  const parts = [
    `format: '${compiled.format}'`,
    ...(imports.size === 0 ? [] : [`imports: ${printData(keys)}`]),
    ...(compiled.waits ? [] : [`body: ${printBody(compiled.code)}`]),
    ...(waiting === undefined || !waits.has(path) ? [] : [`waitingBody: ${printBody(waiting.code)}`]),
  ];
  return `{ ${parts.join(', ')} }`;
}

/** `__proto__` in an object literal would set the prototype. */
function printData(data: unknown): string {
  const json = JSON.stringify(data);
  return json.includes('__proto__') ? `JSON.parse(${JSON.stringify(json)})` : json;
}

/** The code ends its own line: it may end in a comment. */
function printBody(code: string): string {
  return `function (${moduleParameters.join(', ')}) {${code}\n}`;
}

/** Modules that await outside of functions, and those that import them, however far away. */
function waitingModules(modules: ReadonlyMap<string, CollectedModule>): ReadonlySet<string> {
  const waits = new Set(
    [...modules.values()].filter(({ compiled }) => compiled?.waits).map(({ path }) => path),
  );
  for (let before = -1; before !== waits.size;) {
    before = waits.size;
    for (const { path, imports } of modules.values()) {
      if ([...imports.values()].some((target) => waits.has(target))) waits.add(path);
    }
  }
  return waits;
}
