import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { redactKeys } from '../../base/secrets/redactKeys.ts';
import type { Log } from '../../host/ports.ts';
import { createChannelEntries, type EntryModuleRef, type LoadEntryExport } from '../../sdk/channelEntries.ts';
import type * as hostFunctions from '../../sdk/hostFunctions.ts';
import type { AgentEvent, PluginCommandRunResult } from '../../sdk/hostFunctions.ts';
import type { SubsystemLogger } from '../../sdk/types.ts';
import { runCommand, type RunCommand } from './runtime/runCommand.ts';

type HostFunctions = typeof hostFunctions;

interface HostFunctionParts {
  readonly pluginId: string;
  readonly log: Log;
  /** Takes the secrets of the plugin's settings out of what it logs; default: it has none. */
  readonly redact?: (text: string) => string;
  /** A folder of the plugin's own; made when it is asked for. */
  readonly stateDir: string;
  readonly run?: RunCommand;
  /** Default: nobody sends any. */
  readonly onDiagnosticEvent?: HostFunctions['onDiagnosticEvent'];
  /** Loads files of the plugin; default: as Node does. */
  readonly requireFrom?: (from: string | URL) => NodeJS.Require;
}

/** The SDK functions that need the host, for one load of one plugin. Nothing of them outlives that load. */
export function createHostFunctions(parts: HostFunctionParts): HostFunctions {
  const { pluginId, stateDir, run = runCommand, requireFrom = createRequire } = parts;
  const loadEntryExport: LoadEntryExport = (url, reference) => loadExport(requireFrom(url), reference);
  const log = redactedLog(parts);
  const shared = new Map<symbol | string, unknown>();
  const resolveGlobalSingleton: HostFunctions['resolveGlobalSingleton'] = (key, create) => {
    if (!shared.has(key)) shared.set(key, create());
    return shared.get(key) as ReturnType<typeof create>;
  };
  const listeners = new Set<(event: AgentEvent) => void>();
  let channelRuntime: unknown;
  return {
    ...createChannelEntries(loadEntryExport, ({ runtime }) => {
      channelRuntime = isRecord(runtime) ? runtime['channel'] : undefined;
    }),
    resolveChannelInboundRouteEnvelope: (params) => routeEnvelope(channelRuntime, params),
    loadBundledEntryExportSync: loadEntryExport,
    resolveGlobalSingleton,
    resolveGlobalMap: (key) => resolveGlobalSingleton(key, () => new Map()),
    createSubsystemLogger: (subsystem) => createSubsystemLogger(log, pluginId, subsystem),
    getChildLogger: (bindings = {}) =>
      createSubsystemLogger(log, pluginId, Object.values(bindings).map(String).join('/')),
    redactToolPayloadText: (text) => redactKeys(parts.redact?.(text) ?? text),
    resolveOAuthDir: () => made(join(stateDir, 'oauth')),
    resolveStateDir: () => made(stateDir),
    resolvePreferredOpenClawTmpDir: () => made(join(stateDir, 'tmp')),
    runPluginCommandWithTimeout: (options) => runQuietly(run, options),
    onDiagnosticEvent: parts.onDiagnosticEvent ?? (() => () => undefined),
    emitAgentEvent(event) {
      for (const listener of [...listeners]) listener(event);
    },
    onAgentEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** By the plugin's own `api.runtime.channel`, which knows its channels. */
function routeEnvelope(
  runtime: unknown,
  params: Parameters<HostFunctions['resolveChannelInboundRouteEnvelope']>[0],
): ReturnType<HostFunctions['resolveChannelInboundRouteEnvelope']> {
  const { routing, reply } = isRecord(runtime) ? runtime : {};
  const resolve = isRecord(routing) ? routing['resolveAgentRoute'] : undefined;
  const format = isRecord(reply) ? reply['formatAgentEnvelope'] : undefined;
  if (typeof resolve !== 'function' || typeof format !== 'function')
    throw new PincerError('channel_runtime_missing', 'The host has no channel runtime for this plugin.');
  return {
    route: Reflect.apply(resolve, routing, [params]) as Readonly<Record<string, unknown>>,
    buildEnvelope: (message) => String(Reflect.apply(format, reply, [message])),
  };
}

function loadExport(require: NodeJS.Require, { specifier, exportName }: EntryModuleRef): unknown {
  const loaded: unknown = require(specifier);
  const names = isRecord(loaded) || typeof loaded === 'function' ? (loaded as Record<string, unknown>) : {};
  const main = 'default' in names ? names['default'] : loaded;
  if (exportName === undefined) return main;
  for (const place of [names, main]) {
    if (isRecord(place) && exportName in place) return place[exportName];
  }
  throw new PincerError('plugin_export_missing', `${specifier} exports no ${exportName}.`);
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function runQuietly(
  run: RunCommand,
  { argv, timeoutMs, ...rest }: hostFunctions.PluginCommandRunOptions,
): Promise<PluginCommandRunResult> {
  if (argv[0] === undefined || argv[0] === '') return { code: 1, stdout: '', stderr: 'command is required' };
  try {
    const { code, stdout, stderr, termination } = await run(argv, { timeoutMs, ...rest });
    const late = termination === 'timeout' && stderr === '';
    return { code: code ?? 1, stdout, stderr: late ? `command timed out after ${timeoutMs}ms` : stderr };
  } catch (error) {
    return { code: 1, stdout: '', stderr: errorMessage(error) };
  }
}

function redactedLog({ log, redact }: HostFunctionParts): Log {
  return redact === undefined
    ? log
    : { write: (level, message, by) => log.write(level, redact(message), by) };
}

function createSubsystemLogger(log: Log, pluginId: string, subsystem: string): SubsystemLogger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, meta?: Readonly<Record<string, unknown>>): void => {
      const more = meta === undefined ? '' : ` ${errorMessage(meta)}`;
      log.write(level, `[${pluginId}] ${subsystem}: ${errorMessage(message)}${more}`, pluginId);
    };
  return {
    subsystem,
    isEnabled: () => true,
    trace: at('debug'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('error'),
    raw: at('info'),
    child: (name) => createSubsystemLogger(log, pluginId, `${subsystem}/${name}`),
  };
}
