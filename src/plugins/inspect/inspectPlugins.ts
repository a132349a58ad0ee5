import { join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { mergeConfig } from '../../config/mergeConfig.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { JsonSchema } from '../../contracts/jsonTypes.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import type { Clock, FileSystem, Log } from '../../host/ports.ts';
import { createPluginManager } from '../createPluginManager.ts';
import type { PluginManager } from '../pluginManager.ts';
import type { PluginRecord, PluginsConfig } from '../pluginTypes.ts';
import { findInspectUnits, type InspectUnit } from './findInspectUnits.ts';
import { hintConfig } from './hintConfig.ts';
import { withoutOwners } from './withoutOwners.ts';

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
