import { join, relative } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { isThenable } from '../hooks/isThenable.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import type { PluginLogger, PluginServiceContext } from '../sdk/types.ts';
import type { ModuleLoader, PluginCode } from './load/createModuleLoader.ts';
import { ensureSnapshot } from './load/ensureSnapshot.ts';
import { resolveExport, type ResolvedExport } from './load/resolveExport.ts';
import { validatePluginConfig } from './manifest/validatePluginConfig.ts';
import { createPluginApi } from './openclaw/createPluginApi.ts';
import { errorDiagnostic, warnDiagnostic } from './pluginDiagnostics.ts';
import { pluginFolderName } from './pluginFolderName.ts';
import {
  configFor,
  entryOf,
  type PluginCandidate,
  type PluginEntryConfig,
  type PluginManifest,
  type PluginsConfig,
  type PluginTimings,
} from './pluginTypes.ts';
import { createPluginLife } from './register/createPluginLife.ts';
import { noteContracts, noteMismatch } from './register/noteContracts.ts';
import type { PluginSessionState } from '../sessions/pluginSessionState.ts';
import type { RunContexts } from './register/createRunContexts.ts';
import { createRegistrations, type Registrations } from './register/registrations.ts';
import type { PluginPlan } from './planPlugin.ts';
import { withDeadline } from './withDeadline.ts';

export interface PluginLoadParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  readonly loader: ModuleLoader;
  readonly stateDir: string;
  readonly homeDir: string;
  readonly reservedCommands: readonly string[];
  readonly sessionState: PluginSessionState;
  readonly runContexts: RunContexts;
}

/** One loaded version of a plugin. Disposing it makes its API throw; what it registered is dropped by the holder. */
export interface PluginInstance extends Disposable {
  readonly id: string;
  readonly registrations: Registrations;
  readonly timings: PluginTimings;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly serviceContext: PluginServiceContext;
  /** Fires when it registers something after `register` has ended. */
  readonly onDidRegister: Event<void>;
}

export type LoadOutcome =
  | { readonly ok: true; readonly instance: PluginInstance }
  | {
      readonly ok: false;
      readonly phase: 'validation' | 'load' | 'register';
      readonly message: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** A plugin that may be loaded: its manifest is read and it is enabled. */
export type LoadablePlan = PluginPlan & { readonly manifest: PluginManifest };

/** How long a plugin may take to evaluate, and again to register (rulings P5). */
const patienceMs = 30_000;

/** Loads a plugin and lets it register; never rejects. A failure leaves nothing behind. */
export async function loadPlugin(
  parts: PluginLoadParts,
  plan: LoadablePlan,
  config: PluginsConfig,
  hostConfig: Readonly<Record<string, unknown>>,
): Promise<LoadOutcome> {
  const entry = entryOf(configFor(config, plan.candidate.origin), plan.id);
  const validated = validatePluginConfig(plan.manifest.configSchema, entry.config);
  if (!validated.ok) return failure(plan, 'validation', `invalid config: ${validated.problems.join('; ')}`);
  const start = parts.clock.monotonic();
  let code: PluginCode;
  let module: unknown;
  try {
    code = await codeOf(parts, plan);
    module = await withDeadline(parts.loader.load(code), patienceMs, parts.clock);
  } catch (error) {
    return failure(
      plan,
      'load',
      `failed to load plugin: ${errorMessage(error)}`,
      hintFor(error, plan.candidate),
    );
  }
  const exported = resolveExport(module);
  if (!exported.ok) return failure(plan, 'load', exported.message);
  const loadMs = parts.clock.monotonic() - start;
  return await letRegister(parts, plan, exported, {
    entry,
    pluginConfig: validated.config,
    hostConfig,
    loadMs,
    rootDir: code.rootDir,
  });
}

interface Given {
  readonly entry: PluginEntryConfig;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly hostConfig: Readonly<Record<string, unknown>>;
  readonly loadMs: number;
  /** The folder its code was loaded from. */
  readonly rootDir: string;
}

async function letRegister(
  parts: PluginLoadParts,
  plan: LoadablePlan,
  exported: Extract<ResolvedExport, { ok: true }>,
  { entry, pluginConfig, hostConfig, loadMs, rootDir }: Given,
): Promise<LoadOutcome> {
  const { manifest, candidate, id } = plan;
  const life = createPluginLife(id);
  const dispose = (): void => {
    life.end();
    parts.loader.forget(rootDir);
  };
  const registrations = createRegistrations();
  const logger = createLogger(parts.log, id);
  const stateDir = join(parts.stateDir, 'plugin-state', pluginFolderName(id));
  const api = createPluginApi({
    ...parts,
    ...life,
    candidate,
    manifest: { ...manifest, ...onlyMissing(manifest, exported) },
    entry,
    pluginConfig,
    hostConfig,
    stateDir,
    logger,
    registrations,
  });
  noteMismatch(registrations, { id, source: candidate.source }, exported.id);
  const start = parts.clock.monotonic();
  try {
    await runRegister(parts.clock, plan, () => exported.register(api), registrations);
  } catch (error) {
    dispose();
    return failure(plan, 'register', `plugin failed during register: ${errorMessage(error)}`);
  }
  noteContracts(registrations, manifest);
  return {
    ok: true,
    instance: {
      id,
      registrations,
      pluginConfig,
      timings: { loadMs, registerMs: parts.clock.monotonic() - start },
      serviceContext: { config: hostConfig, stateDir, logger, ...workspaceOf(candidate) },
      onDidRegister: life.begin(),
      dispose,
    },
  };
}

/** Where the plugin's code is loaded from. Bundled plugins are part of the program and load from where they are. */
async function codeOf(
  { fs, stateDir }: PluginLoadParts,
  { candidate, files, id }: LoadablePlan,
): Promise<PluginCode> {
  const { rootDir, cacheDir } =
    files === undefined
      ? { rootDir: candidate.rootDir, cacheDir: join(stateDir, 'transpiled') }
      : await ensureSnapshot(fs, join(stateDir, 'plugin-snapshots'), id, files);
  return { id, rootDir, cacheDir, entry: join(rootDir, relative(candidate.rootDir, candidate.source)) };
}

async function runRegister(
  clock: Clock,
  plan: LoadablePlan,
  register: () => unknown,
  { diagnostics }: Registrations,
): Promise<void> {
  const returned = register();
  if (!isThenable(returned)) return;
  const subject = { pluginId: plan.id, source: plan.candidate.source };
  diagnostics.push(
    warnDiagnostic('plugin_register_async', 'plugin register returned a promise; it was awaited', subject),
  );
  await withDeadline(returned, patienceMs, clock);
}

function failure(
  { id, candidate }: LoadablePlan,
  phase: 'validation' | 'load' | 'register',
  message: string,
  hint?: string,
): LoadOutcome {
  const subject = { pluginId: id, source: candidate.source, ...(hint === undefined ? {} : { hint }) };
  const code = {
    validation: 'plugin_config_invalid',
    load: 'plugin_load_failed',
    register: 'plugin_register_failed',
  };
  return { ok: false, phase, message, diagnostics: [errorDiagnostic(code[phase], message, subject)] };
}

function hintFor(error: unknown, { rootDir }: PluginCandidate): string | undefined {
  const missing = error instanceof Error && /^Cannot find (?:module|package)/u.test(error.message);
  return missing ? `Install what the plugin needs inside its own folder: ${rootDir}` : undefined;
}

function workspaceOf({ workspaceDir }: PluginCandidate): { readonly workspaceDir?: string } {
  return workspaceDir === undefined ? {} : { workspaceDir };
}

function createLogger(log: Log, pluginId: string): PluginLogger {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) =>
    log.write(level, `[${pluginId}] ${errorMessage(message)}`);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Fields that the export may fill in where the manifest is silent. */
function onlyMissing(
  manifest: PluginManifest,
  exported: { readonly name?: string; readonly description?: string; readonly version?: string },
): Partial<PluginManifest> {
  const { name, description, version } = exported;
  return {
    ...(manifest.name === undefined && name !== undefined ? { name } : {}),
    ...(manifest.description === undefined && description !== undefined ? { description } : {}),
    ...(manifest.version === undefined && version !== undefined ? { version } : {}),
  };
}
