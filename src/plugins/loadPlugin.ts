import { join, relative } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';
import { isThenable } from '../base/untrusted.ts';
import type { Clock, FileSystem, Log, Secrets } from '../host/ports.ts';
import type { AgentEventPayload, PluginLogger, PluginServiceContext } from '../sdk/types.ts';
import { callAtOnce, type CallGuard, type CallPlugin } from './createCallGuard.ts';
import { createHangGuard, type HangGuard } from './createHangGuard.ts';
import type { ModuleLoader, PluginCode } from './load/createModuleLoader.ts';
import { ensureSnapshot } from './load/ensureSnapshot.ts';
import { locateFailure } from './load/locateFailure.ts';
import { resolveExport, type ResolvedExport } from './load/resolveExport.ts';
import { preparePluginConfig } from './manifest/preparePluginConfig.ts';
import type { SecretSources } from './manifest/resolveConfigSecrets.ts';
import type { PluginApiParts } from './openclaw/pluginApiParts.ts';
import { viewOfHostConfig } from './openclaw/viewOfHostConfig.ts';
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
import { describeDamage } from './register/describeDamage.ts';
import { protectGlobals, type GlobalDamage } from './register/protectGlobals.ts';
import { createPluginLife } from './register/createPluginLife.ts';
import { createHoldBack, type HeldBack } from './register/holdBack.ts';
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
  /** Tells the listeners of all plugins an event of a turn. */
  readonly deliverAgentEvent: (event: AgentEventPayload) => void;
  readonly complete?: NonNullable<PluginApiParts['complete']>;
  readonly agents?: NonNullable<PluginApiParts['agents']>;
  readonly memory?: NonNullable<PluginApiParts['memory']>;
  /** Secrets that settings refer to by `{ "secret": "name" }`; default: none. */
  readonly secrets?: Pick<Secrets, 'get'>;
  /** Environment variables that settings refer to by `{ "env": "NAME" }`; default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** One for all loads; without it each load has its own, which may blame a plugin that was merely loading as well. */
  readonly hangGuard?: HangGuard;
  /** Skips calls that never came back; without it all are made. */
  readonly callGuard?: CallGuard;
}

/** One loaded version of a plugin. Disposing it makes its API throw; what it registered is dropped by the holder. */
export interface PluginInstance extends Disposable {
  readonly id: string;
  /** What of it may take effect. */
  readonly registrations: Registrations;
  /** What was not shown when the user agreed to it, as `kind name`. */
  heldBack(): readonly string[];
  readonly timings: PluginTimings;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly serviceContext: PluginServiceContext;
  /** Takes the secrets of its settings out of a text; for what is reported of it later. */
  readonly redact: (text: string) => string;
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

/** How long a plugin may take to evaluate, and again to register. */
const patienceMs = 30_000;

export interface LoadOptions {
  /** Stands for what is loaded: a plugin that hung is skipped as long as this is the same. Empty: never skipped. */
  readonly content: string;
  /** Loads it even if it hung the last time. */
  readonly force: boolean;
}

/** Loads a plugin and lets it register; never rejects. A failure leaves nothing behind. */
export async function loadPlugin(
  parts: PluginLoadParts,
  plan: LoadablePlan,
  config: PluginsConfig,
  hostConfig: Readonly<Record<string, unknown>>,
  { content, force }: LoadOptions = { content: '', force: false },
): Promise<LoadOutcome> {
  const { manifest, candidate, id } = plan;
  const entry = entryOf(configFor(config, candidate.origin), id);
  const mayResolve = candidate.origin !== 'workspace' || entryOf(config, id).config !== undefined;
  const given = { manifest, config: entry.config, mayResolve };
  const prepared = await preparePluginConfig(given, secretSourcesOf(parts));
  const { redact } = prepared;
  if (!prepared.ok) return failure(plan, 'validation', prepared.message);
  const start = parts.clock.monotonic();
  try {
    const code = await codeOf(parts, plan);
    const pluginConfig = prepared.config;
    const { workspaceDir } = candidate;
    const view = viewOfHostConfig(hostConfig, { id, entry, pluginConfig, workspaceDir });
    const call =
      candidate.origin === 'bundled' || content === ''
        ? callAtOnce
        : (parts.callGuard?.callsOf(id, content) ?? callAtOnce);
    const given: Given = { entry, pluginConfig, hostConfig: view, redact, start, code, call };
    const work = (): Promise<LoadOutcome> => evaluate(parts, plan, given);
    // Bundled plugins are part of the program; a window closed at the wrong moment must not switch a guard off.
    if (candidate.origin === 'bundled' || content === '') return await work();
    const guard = parts.hangGuard ?? createHangGuard(parts);
    if (!force && (await guard.hasHung(id, content))) return hung(plan);
    return await guard.watch(id, content, work);
  } catch (error) {
    return failure(plan, 'load', redact(`failed to load plugin: ${errorMessage(error)}`));
  }
}

/** Runs the plugin's code: its module, then its `register`. */
async function evaluate(parts: PluginLoadParts, plan: LoadablePlan, given: Given): Promise<LoadOutcome> {
  let module: unknown;
  let damage: GlobalDamage = { repaired: [], lost: [] };
  const onRepaired = (repaired: readonly string[], lost: readonly string[]): void => {
    damage = { repaired, lost };
  };
  try {
    module = await withDeadline(
      parts.loader.load({ ...given.code, redact: given.redact, onRepaired }),
      patienceMs,
      parts.clock,
    );
  } catch (error) {
    return codeFailure(plan, 'load', error, given);
  }
  const exported = resolveExport(module);
  if (!exported.ok) return failure(plan, 'load', exported.message);
  return await letRegister(parts, plan, exported, { ...given, damage });
}

interface Given {
  readonly entry: PluginEntryConfig;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly hostConfig: Readonly<Record<string, unknown>>;
  readonly redact: (text: string) => string;
  /** When loading began, on the monotonic clock. */
  readonly start: number;
  /** Where its code is loaded from. */
  readonly code: PluginCode;
  readonly call: CallPlugin;
}

async function letRegister(
  parts: PluginLoadParts,
  plan: LoadablePlan,
  exported: Extract<ResolvedExport, { ok: true }>,
  { entry, pluginConfig, hostConfig, redact, start: begun, code, call, damage }: Given & Damaged,
): Promise<LoadOutcome> {
  const { manifest, candidate, id } = plan;
  const loadMs = parts.clock.monotonic() - begun;
  const life = createPluginLife(id);
  const dispose = (): void => {
    life.end();
    parts.loader.forget(code.rootDir);
  };
  const registrations = createRegistrations();
  const logger = createLogger(parts.log, id, redact);
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
    call,
  });
  registrations.diagnostics.push(
    ...describeDamage('plugin', { pluginId: id, source: candidate.source }, damage),
  );
  noteMismatch(
    registrations,
    { pluginId: id, source: plan.manifestPath, ...plan.placeOf?.(['id']) },
    ownId(plan, exported.id),
  );
  const start = parts.clock.monotonic();
  try {
    await runRegister(parts.clock, plan, () => exported.register(api), registrations);
  } catch (error) {
    dispose();
    return codeFailure(plan, 'register', error, { redact, code });
  }
  noteContracts(registrations, manifest, {
    source: plan.manifestPath,
    ...plan.placeOf?.(['contracts', 'tools']),
  });
  // Only a workspace's plugin was asked about. It may register more at any time.
  const shown = candidate.origin === 'workspace' ? plan.asks : undefined;
  const parted =
    shown === undefined
      ? (): HeldBack => ({ registrations, names: [] })
      : createHoldBack(id, registrations, shown);
  return {
    ok: true,
    instance: {
      id,
      get registrations() {
        return parted().registrations;
      },
      heldBack: () => parted().names,
      pluginConfig,
      redact,
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
  registrations: Registrations,
): Promise<void> {
  const subject = { pluginId: plan.id, source: plan.candidate.source };
  const { result: returned, ...damage } = protectGlobals(register);
  registrations.diagnostics.push(...describeDamage('plugin', subject, damage));
  if (!isThenable(returned)) return;
  registrations.diagnostics.push(
    warnDiagnostic('plugin_register_async', 'plugin register returned a promise; it was awaited', subject),
  );
  await withDeadline(returned, patienceMs, clock);
}

const failureTexts = { load: 'failed to load plugin', register: 'plugin failed during register' } as const;

/** The plugin's own code failed; the diagnostic points at its place where the error tells it. */
function codeFailure(
  plan: LoadablePlan,
  phase: 'load' | 'register',
  error: unknown,
  { redact, code }: Pick<Given, 'redact' | 'code'>,
): LoadOutcome {
  const { id, candidate } = plan;
  const {
    message,
    source = candidate.source,
    ...place
  } = locateFailure(error, code.rootDir, candidate.rootDir);
  const hint = hintFor(error, candidate);
  const about = {
    pluginId: id,
    source,
    ...place,
    ...(hint === undefined ? {} : { hint }),
  };
  const kind = phase === 'load' ? 'plugin_load_failed' : 'plugin_register_failed';
  return failed(phase, errorDiagnostic(kind, redact(`${failureTexts[phase]}: ${message}`), about));
}

interface Damaged {
  /** What the plugin's code had done to globals before it registered. */
  readonly damage: GlobalDamage;
}

function failure(
  plan: LoadablePlan,
  phase: 'validation' | 'load' | 'register',
  message: string,
  hint?: string,
): LoadOutcome {
  const { id, candidate, manifestPath, placeOf } = plan;
  const pluginId = id;
  if (phase === 'validation') {
    const fixes: readonly DiagnosticFix[] = [{ kind: 'configure-plugin', pluginId }];
    const about = { pluginId, source: manifestPath, ...placeOf?.(['configSchema']), fixes };
    return failed(phase, errorDiagnostic('plugin_config_invalid', message, about));
  }
  const code = phase === 'load' ? 'plugin_load_failed' : 'plugin_register_failed';
  const about = { pluginId, source: candidate.source, ...(hint === undefined ? {} : { hint }) };
  return failed(phase, errorDiagnostic(code, message, about));
}

function hung({ id, candidate }: LoadablePlan): LoadOutcome {
  const message = `plugin ${id} did not finish loading the last two times; it is skipped`;
  const about = {
    pluginId: id,
    source: candidate.source,
    hint: 'It may loop forever. Change it, or reload it to try once more.',
    fixes: [{ kind: 'reload-plugin', pluginId: id }],
  } as const;
  return failed('load', errorDiagnostic('plugin_hung', message, about));
}

function failed(phase: 'validation' | 'load' | 'register', diagnostic: Diagnostic): LoadOutcome {
  return { ok: false, phase, message: diagnostic.message, diagnostics: [diagnostic] };
}

function secretSourcesOf({ env = {}, secrets }: PluginLoadParts): SecretSources {
  return { env, secrets: secrets ?? { get: () => Promise.resolve(undefined) } };
}

/** One of several plugins in a package may call itself as the package's manifest does. */
function ownId({ id, candidate }: LoadablePlan, exportedId: string | undefined): string | undefined {
  const { entryName } = candidate;
  if (exportedId === undefined || entryName === undefined) return exportedId;
  return exportedId === entryName || `${exportedId}/${entryName}` === id ? id : exportedId;
}

function hintFor(error: unknown, { rootDir }: PluginCandidate): string | undefined {
  const missing = error instanceof Error && /^Cannot find (?:module|package)/u.test(error.message);
  return missing ? `Install what the plugin needs inside its own folder: ${rootDir}` : undefined;
}

function workspaceOf({ workspaceDir }: PluginCandidate): { readonly workspaceDir?: string } {
  return workspaceDir === undefined ? {} : { workspaceDir };
}

function createLogger(log: Log, pluginId: string, redact: (text: string) => string): PluginLogger {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) =>
    log.write(level, `[${pluginId}] ${redact(errorMessage(message))}`);
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
