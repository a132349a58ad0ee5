import { join, basename, dirname } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { mergeConfig } from '../../config/mergeConfig.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { JsonSchema } from '../../contracts/jsonTypes.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import type { Clock, FileStat, FileSystem, Log } from '../../host/ports.ts';
import { createPluginManager } from '../createPluginManager.ts';
import type { PluginManager } from '../pluginManager.ts';
import type { PluginRecord, PluginsConfig, PluginCandidate } from '../pluginTypes.ts';
import { discoverPlugins } from '../discover/discoverPlugins.ts';
import { indexFiles } from '../discover/pluginFileNames.ts';
import { loadManifest } from '../manifest/loadManifest.ts';
import { manifestFileName } from '../manifest/parseManifest.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import { isRecord } from '../../base/json.ts';

export interface InspectParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** An empty folder for what plugins write; the caller removes it. */
  readonly workDir: string;
  /** Names that tools of plugins can't have. */
  readonly coreToolNames: readonly string[];
  /** Slash commands that plugins can't have; without the slash. */
  readonly reservedCommands: readonly string[];
}

export interface InspectRequest {
  /** Absolute path of a plugin, or of a folder that holds several. */
  readonly path: string;
  /** Settings for each plugin found; default none. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether conversation hooks may register. */
  readonly allowConversation: boolean;
}

export interface InspectedTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Hidden unless the user allow-lists it. */
  readonly optional: boolean;
}

/** A plugin's record and the tools that its factories make. */
export type InspectedPlugin = PluginRecord & { readonly tools: readonly InspectedTool[] };

/** Milliseconds: sums over all plugins, `totalMs` from start to end. */
interface InspectTimings {
  /** Finding the plugins and reading their manifests. */
  readonly discoverMs?: number;
  readonly loadMs: number;
  readonly registerMs: number;
  readonly totalMs: number;
}

export interface Inspection {
  readonly plugins: readonly InspectedPlugin[];
  readonly diagnostics: readonly Diagnostic[];
  readonly timings: InspectTimings;
}

/**
 * Loads plugins from anywhere, unmodified, and tells what they register; naming them is the consent to run them. Each is
 * loaded alone, with an empty home, no workspace and no config but what is given, so that nothing else has a part in the
 * result. Their tool factories run; services are not started. What fails is a diagnostic.
 * @throws PincerError `plugin_path_not_found` where there is nothing at `path`
 */
export async function inspectPlugins(parts: InspectParts, request: InspectRequest): Promise<Inspection> {
  const { fs, clock } = parts;
  const start = clock.monotonic();
  if ((await fs.stat(request.path)) === undefined) {
    throw new PincerError('plugin_path_not_found', `There is nothing at ${request.path}.`, {
      hint: 'Name a plugin folder, a plugin file or a folder of plugins.',
    });
  }
  const found = await findInspectUnits(fs, request.path);
  const discoverMs = clock.monotonic() - start;
  const inspected: OneInspection[] = [];
  for (const [index, unit] of found.units.entries()) {
    inspected.push(await inspectOne(parts, request, unit, join(parts.workDir, String(index))));
  }
  const plugins = inspected.flatMap((each) => each.plugins);
  return {
    plugins,
    diagnostics: [...found.diagnostics, ...inspected.flatMap((each) => each.diagnostics)],
    timings: { discoverMs, ...sumTimings(plugins), totalMs: clock.monotonic() - start },
  };
}

/** What the plugins took together. */
export function sumTimings(plugins: readonly PluginRecord[]): {
  readonly loadMs: number;
  readonly registerMs: number;
} {
  const sum = (read: (timings: NonNullable<PluginRecord['timings']>) => number): number =>
    plugins.reduce((all, { timings }) => all + (timings === undefined ? 0 : read(timings)), 0);
  return { loadMs: sum(({ loadMs }) => loadMs), registerMs: sum(({ registerMs }) => registerMs) };
}

/** Runs the tool factories of a manager's plugins, as at the start of a session. */
export function inspectTools(
  manager: Pick<PluginManager, 'tools'>,
  workspaceDir: string,
): (pluginId: string) => readonly InspectedTool[] {
  const session = { agentId: 'main', sessionKey: 'inspect', sessionId: 'inspect', messageChannel: 'cli' };
  const tools = manager.tools({ ...session, sandboxed: false, workspaceDir });
  return (pluginId) =>
    tools.filter(({ owner }) => owner.kind === 'plugin' && owner.pluginId === pluginId).map(toInspectedTool);
}

/** The record with its tools; what factories have made stands among its registrations, under the names it has now. */
export function withTools(record: PluginRecord, tools: readonly InspectedTool[]): InspectedPlugin {
  const toolNames = [...new Set([...record.toolNames, ...tools.map(({ name }) => name)])];
  const registrations =
    toolNames.length === 0 ? record.registrations : { ...record.registrations, tool: toolNames };
  return { ...record, toolNames, registrations, tools };
}

interface OneInspection {
  readonly plugins: readonly InspectedPlugin[];
  readonly diagnostics: readonly Diagnostic[];
}

async function inspectOne(
  parts: InspectParts,
  request: InspectRequest,
  unit: InspectUnit,
  workDir: string,
): Promise<OneInspection> {
  const config = configFor(request, unit);
  const managerParts = {
    ...parts,
    fs: withoutOwners(parts.fs),
    bundledDir: undefined,
    home: join(workDir, 'home'),
    stateDir: join(workDir, 'state'),
    settings: { set: () => Promise.resolve(config) },
    startServices: false,
  };
  const manager = createPluginManager(managerParts);
  try {
    await manager.load({ roots: [], trusted: true, config });
    const toolsOf = inspectTools(manager, join(workDir, 'workspace'));
    const plugins = manager.plugins().map((record) => withHints(withTools(record, toolsOf(record.id))));
    const diagnostics = manager.diagnostics().map((each) => withHint(each, plugins));
    return { plugins, diagnostics: [...unit.diagnostics, ...diagnostics] };
  } finally {
    await manager.close();
  }
}

/** All that the unit holds is switched on. Alone it fills every slot that it wants. */
function configFor({ config, allowConversation }: InspectRequest, unit: InspectUnit): PluginsConfig {
  const entries = unit.ids.map((id): [string, object] => [
    id,
    {
      enabled: true,
      hooks: { allowConversationAccess: allowConversation },
      ...(config === undefined ? {} : { config }),
    },
  ]);
  const plugins = { load: { paths: [unit.loadPath] }, entries: Object.fromEntries(entries) };
  return mergeConfig({ plugins }, []).config.plugins;
}

function toInspectedTool({ name, label, description, parameters, optional }: AgentTool): InspectedTool {
  return { name, label, description, parameters, optional };
}

function withHints(plugin: InspectedPlugin): InspectedPlugin {
  return { ...plugin, diagnostics: plugin.diagnostics.map((each) => withHint(each, [plugin])) };
}

/** Settings that are missing can be given right here. */
function withHint(diagnostic: Diagnostic, plugins: readonly PluginRecord[]): Diagnostic {
  if (diagnostic.code !== 'plugin_config_invalid' || diagnostic.hint !== undefined) return diagnostic;
  const schema = plugins.find(({ id }) => id === diagnostic.pluginId)?.configJsonSchema;
  const hint = schema === undefined ? undefined : hintConfig(schema);
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

/** What is loaded together: one folder, with every entry that its package.json names, or one loose file. */
interface InspectUnit {
  readonly loadPath: string;
  /** As far as manifests tell. */
  readonly ids: readonly string[];
  /** What a plugins folder would have against it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the plugins at a path. Reads files as data only. */
async function findInspectUnits(
  fs: FileSystem,
  path: string,
): Promise<{ readonly units: readonly InspectUnit[]; readonly diagnostics: readonly Diagnostic[] }> {
  const loadPath = await pluginPathOf(fs, path);
  const places = { bundledDir: undefined, roots: [], globalDirs: [], loadPaths: [loadPath] };
  const found = await discoverPlugins(withoutOwners(fs), places);
  const strict = await discoverPlugins(fs, places);
  const known = new Set(found.diagnostics.map(({ message }) => message));
  const objections = strict.diagnostics.filter(({ message }) => !known.has(message));
  const groups = new Map<string, PluginCandidate[]>();
  for (const each of found.candidates) {
    const key = each.isLooseFile ? each.source : each.rootDir;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const units = await Promise.all(
    [...groups].map(async ([key, group]): Promise<InspectUnit> => {
      const sources = group.map(({ source }) => source);
      const own = objections.filter(({ source }) => source !== undefined && sources.includes(source));
      return { loadPath: key, ids: await idsOf(fs, group), diagnostics: own.map(softened) };
    }),
  );
  const isEmpty = units.length === 0 && found.diagnostics.length === 0;
  // The units bring these themselves.
  const covered = (source = ''): boolean => units.some((unit) => source.startsWith(join(unit.loadPath, '/')));
  const rest = found.diagnostics.filter(({ source }) => !covered(source));
  return { units, diagnostics: isEmpty ? [nothingFound(loadPath)] : rest };
}

/** A manifest, a package.json or an index file stands for the folder it lies in: the plugin may need its neighbours. */
async function pluginPathOf(fs: FileSystem, path: string): Promise<string> {
  const [name, folder] = [basename(path), dirname(path)];
  if ((await fs.stat(path))?.kind !== 'file') return path;
  if (name === manifestFileName || name === 'package.json') return folder;
  const isIndex = indexFiles.includes(name) && (await fs.stat(join(folder, manifestFileName))) !== undefined;
  return isIndex ? folder : path;
}

async function idsOf(fs: FileSystem, candidates: readonly PluginCandidate[]): Promise<readonly string[]> {
  const manifests = await Promise.all(candidates.map((candidate) => loadManifest(fs, candidate)));
  return [...new Set(manifests.flatMap((loaded) => (loaded.ok ? [loaded.manifest.id] : [])))];
}

function softened(diagnostic: Diagnostic): Diagnostic {
  const hint = 'It was loaded because you named it; from a plugins folder it would not be.';
  return { ...diagnostic, level: 'warn', hint };
}

function nothingFound(path: string): Diagnostic {
  const hint = `A plugin is a folder with ${manifestFileName} and an entry file: ${indexFiles.join(', ')}, or what package.json names in openclaw.extensions.`;
  return errorDiagnostic('plugin_none_found', `There is no plugin in ${path}.`, { source: path, hint });
}

/** How to give a plugin the settings that its schema requires; undefined where it requires none. Pure. */
export function hintConfig(schema: Readonly<Record<string, unknown>>): string | undefined {
  const required = textsOf(schema['required']);
  if (required.length === 0) return undefined;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const example = Object.fromEntries(required.map((name) => [name, exampleOf(properties[name])]));
  return `Give it settings: --config '${JSON.stringify(example).replaceAll("'", String.raw`'\''`)}'.`;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A value of the right type; `…` where the user has to fill something in. */
function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > 4) return '…';
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0] as unknown;
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        textsOf(schema['required']).map((name) => {
          const properties = isRecord(schema['properties']) ? schema['properties'] : {};
          return [name, exampleOf(properties[name], depth + 1)];
        }),
      );
    default:
      return '…';
  }
}

/**
 * A file system that shows no permission bits and owners. Threat: plugins of the user's own folders are refused where others
 * may write to them, since they load unasked. A plugin that is inspected loads because the user has named it now, from a copy;
 * and shared or mounted folders, where plugins are tried, often are world-writable.
 */
function withoutOwners(fs: FileSystem): FileSystem {
  const hide = (stat: FileStat | undefined): FileStat | undefined =>
    stat === undefined ? undefined : { ...stat, mode: undefined, uid: undefined };
  return {
    ...fs,
    stat: async (path) => hide(await fs.stat(path)),
    lstat: async (path) => hide(await fs.lstat(path)),
  };
}
