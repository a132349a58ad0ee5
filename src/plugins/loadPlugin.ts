import { join, relative } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { Disposable } from '../base/disposable.ts';
import { isThenable } from '../base/untrusted.ts';
import type { Clock, FileSystem, Log, Secrets } from '../host/ports.ts';
import type { AgentEventPayload, OpenClawConfig, PluginLogger, PluginServiceContext } from '../sdk/types.ts';
import { callAtOnce, type CallGuard, type CallPlugin } from './createCallGuard.ts';
import { createHangGuard, type HangGuard } from './createHangGuard.ts';
import { createDiagnosticListeners, type DiagnosticListeners } from './diagnosticListeners.ts';
import type { ModuleLoader, PluginCode } from './load/createModuleLoader.ts';
import { codeFailure, failure, hung, type LoadFailure } from './pluginFailures.ts';
import { ensureSnapshot } from './load/ensureSnapshot.ts';
import { resolveExport, type ResolvedExport } from './load/resolveExport.ts';
import { preparePluginConfig, type PreparedConfig } from './manifest/preparePluginConfig.ts';
import type { SecretSources } from './manifest/resolveConfigSecrets.ts';
import type { PluginApiParts } from './openclaw/pluginApiParts.ts';
import { viewOfHostConfig } from './openclaw/viewOfHostConfig.ts';
import { createPluginApi } from './openclaw/createPluginApi.ts';
import { cronOf } from './openclaw/scheduleSessionTurns.ts';
import { warnDiagnostic } from './pluginDiagnostics.ts';
import { pluginFolderName } from './pluginFolderName.ts';
import {
  configFor,
  entryOf,
  type PluginEntryConfig,
  type PluginManifest,
  type PluginsConfig,
  type PluginTimings,
} from './pluginTypes.ts';
import { describeDamage } from './register/describeDamage.ts';
import { protectGlobals, type GlobalDamage } from './register/protectGlobals.ts';
import { createPluginLife } from './register/createPluginLife.ts';
import { createConsentFilter, type ConsentedRegistrations } from './register/consentFilter.ts';
import { noteContracts, noteManifest, noteMismatch, noteToolMetadata } from './register/noteContracts.ts';
import type { PluginSessionState } from '../sessions/pluginSessionState.ts';
import type { RunContexts } from './register/createRunContexts.ts';
import { createRegistrations, type Registrations } from './register/registrations.ts';
import type { PluginPlan } from './planPlugin.ts';
import { slotsOf } from './slots.ts';
import { withDeadline } from './withDeadline.ts';

export interface PluginLoadParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  readonly loader: ModuleLoader;
  readonly stateDir: string;
  readonly homeDir: string;
  /** The first folder that is open now, wherever the plugin lies; undefined where none is. */
  readonly workspaceDir: () => string | undefined;
  readonly sessionState: PluginSessionState;
  readonly runContexts: RunContexts;
  /** Tells the listeners of all plugins an event of a turn. */
  readonly deliverAgentEvent: (event: AgentEventPayload) => void;
  /** The configuration as it is now, as far as plugins may read it; default empty. */
  readonly hostConfig?: () => Readonly<Record<string, unknown>>;
  readonly complete?: NonNullable<PluginApiParts['complete']>;
  readonly describeImage?: NonNullable<PluginApiParts['describeImage']>;
  readonly webSearch?: NonNullable<PluginApiParts['webSearch']>;
  readonly agents?: NonNullable<PluginApiParts['agents']>;
  readonly schedule?: NonNullable<PluginApiParts['schedule']>;
  readonly channels?: NonNullable<PluginApiParts['channels']>;
  /** The channels of the user's config that are this plugin's, with their secrets; default none. */
  readonly channelConfig?: (pluginId: string) => Readonly<Record<string, unknown>>;
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
  readonly diagnosticListeners: DiagnosticListeners;
  /** What was not shown when the user agreed to it, as `kind name`. */
  heldBack(): readonly string[];
  readonly timings: PluginTimings;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  /** Of its manifest, or of its code where that is silent. */
  readonly configSchema: Readonly<Record<string, unknown>>;
  readonly serviceContext: PluginServiceContext;
  /** The configuration as it is now, as the plugin sees it. */
  readonly currentConfig: () => OpenClawConfig;
  /** Takes the secrets of its settings out of a text; for what is reported of it later. */
  readonly redact: (text: string) => string;
  /** Fires when it registers something after `register` has ended. */
  readonly onDidRegister: Event<void>;
}

type LoadOutcome =
  | { readonly ok: true; readonly instance: PluginInstance }
  | LoadFailure
  /** Its code names an exclusive kind that the manifest does not: nothing is registered before that is decided about. */
  | { readonly ok: false; readonly declared: DeclaredKind };

export interface DeclaredKind {
  readonly kind: readonly string[];
  readonly evaluated: EvaluatedModule;
}

/** A module that has run, so that it does not run twice. */
interface EvaluatedModule {
  /** Where its code was loaded from. */
  readonly rootDir: string;
  readonly module: unknown;
  readonly damage: GlobalDamage;
  readonly diagnosticListeners: DiagnosticListeners;
}

/** A plugin that may be loaded: its manifest is read and it is enabled. */
export type LoadablePlan = PluginPlan & { readonly manifest: PluginManifest };

/** How long a plugin may take to evaluate, and again to register. */
const timeoutMs = 30_000;

export interface LoadOptions {
  /** Stands for what is loaded: a plugin that hung is skipped as long as this is the same. Empty: never skipped. */
  readonly content: string;
  /** Loads it even if it hung the last time. */
  readonly force: boolean;
  /** What an earlier load of the same files evaluated. */
  readonly evaluated?: EvaluatedModule;
}

/** Loads a plugin and lets it register; never rejects. A failure leaves nothing behind. */
export async function loadPlugin(
  parts: PluginLoadParts,
  plan: LoadablePlan,
  config: PluginsConfig,
  { content, force, evaluated }: LoadOptions = { content: '', force: false },
): Promise<LoadOutcome> {
  const { manifest, candidate, id } = plan;
  const entry = entryOf(configFor(config, candidate.origin), id);
  const mayResolve = candidate.origin !== 'workspace' || entryOf(config, id).config !== undefined;
  const prepare = (configSchema: PluginManifest['configSchema']): Promise<PreparedConfig> =>
    preparePluginConfig(
      { manifest: { ...manifest, configSchema }, config: entry.config, mayResolve },
      secretSourcesOf(parts),
    );
  const prepared = await prepare(manifest.configSchema);
  const { redact } = prepared;
  // Where the manifest says nothing of settings, the code may.
  if (!prepared.ok && !isSilent(manifest.configSchema)) return failure(plan, 'validation', prepared.message);
  const start = parts.clock.monotonic();
  try {
    const code = await codeOf(parts, plan);
    const call =
      candidate.origin === 'bundled' || content === ''
        ? callAtOnce
        : (parts.callGuard?.callsOf(id, content) ?? callAtOnce);
    const given: Given = { entry, prepared, prepare, redact, start, code, call };
    const work = (): Promise<LoadOutcome> => evaluate(parts, plan, given, evaluated);
    // Bundled plugins are part of the program; a window closed at the wrong moment must not switch a guard off.
    if (candidate.origin === 'bundled' || content === '') return await work();
    const guard = parts.hangGuard ?? createHangGuard(parts);
    if (!force && (await guard.hasHung(id, content))) return hung(plan);
    return await guard.watch(id, content, work);
  } catch (error) {
    return failure(plan, 'load', redact(`failed to load plugin: ${errorMessage(error)}`));
  }
}

/** Runs the plugin's code: its module, then its `register`. What its export says counts where the manifest is silent. */
async function evaluate(
  parts: PluginLoadParts,
  plan: LoadablePlan,
  given: Given,
  before: EvaluatedModule | undefined,
): Promise<LoadOutcome> {
  let evaluated: EvaluatedModule;
  try {
    evaluated = before?.rootDir === given.code.rootDir ? before : await evaluateModule(parts, given);
  } catch (error) {
    return codeFailure(plan, 'load', error, given);
  }
  const exported = resolveExport(evaluated.module);
  if (!exported.ok) return failure(plan, 'load', exported.message);
  const { kind, configSchema } = exported;
  const { manifest, id } = plan;
  if (plan.kindIsOpen === true && slotsOf(kind).join() !== slotsOf(manifest.kind).join()) {
    return { ok: false, declared: { kind, evaluated } };
  }
  const isDeclared = configSchema !== undefined && isSilent(manifest.configSchema);
  const { prepared } = isDeclared ? { prepared: await given.prepare(configSchema) } : given;
  if (!prepared.ok) return failure(plan, 'validation', prepared.message);
  const { config: pluginConfig, redact } = prepared;
  const { entry } = given;
  const currentConfig = (): OpenClawConfig =>
    viewOfHostConfig(parts.hostConfig?.() ?? {}, {
      id,
      entry,
      pluginConfig,
      channels: parts.channelConfig?.(id) ?? {},
    });
  const known = isDeclared ? { ...plan, manifest: { ...manifest, configSchema } } : plan;
  const { damage, diagnosticListeners } = evaluated;
  const settled = { pluginConfig, currentConfig, redact, damage, diagnosticListeners };
  return await letRegister(parts, known, exported, { ...given, ...settled });
}

async function evaluateModule(
  { loader, clock, log }: PluginLoadParts,
  { code, redact, call }: Given,
): Promise<EvaluatedModule> {
  let damage: GlobalDamage = { repaired: [], lost: [] };
  const onRepaired = (repaired: readonly string[], lost: readonly string[]): void => {
    damage = { repaired, lost };
  };
  const diagnosticListeners = createDiagnosticListeners(code.id, call, log);
  const onDiagnosticEvent = diagnosticListeners.listen;
  const loading = loader.load({ ...code, redact, onRepaired, onDiagnosticEvent });
  const module = await withDeadline(loading, timeoutMs, clock);
  return { rootDir: code.rootDir, module, damage, diagnosticListeners };
}

/** `{}` says nothing of settings. */
function isSilent(configSchema: PluginManifest['configSchema']): boolean {
  return Object.keys(configSchema).length === 0;
}

interface Given {
  readonly entry: PluginEntryConfig;
  /** Its settings by the manifest's schema. */
  readonly prepared: PreparedConfig;
  /** The same by another schema. */
  readonly prepare: (configSchema: PluginManifest['configSchema']) => Promise<PreparedConfig>;
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
  { start: begun, code, call, ...settled }: Given & Settled,
): Promise<LoadOutcome> {
  const { entry, pluginConfig, currentConfig, redact, damage, diagnosticListeners } = settled;
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
  const apiParts: PluginApiParts = {
    ...parts,
    ...life,
    candidate,
    manifest: { ...manifest, ...onlyMissing(manifest, exported) },
    entry,
    pluginConfig,
    currentConfig,
    stateDir,
    logger,
    registrations,
    call,
  };
  const api = createPluginApi(apiParts);
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
  noteToolMetadata(registrations, manifest);
  noteManifest(registrations, manifest, (path) => ({ source: plan.manifestPath, ...plan.placeOf?.(path) }));
  // Only a workspace's plugin was asked about. It may register more at any time.
  const shown = candidate.origin === 'workspace' ? plan.asks : undefined;
  const parted =
    shown === undefined
      ? (): ConsentedRegistrations => ({ registrations, names: [] })
      : createConsentFilter(id, registrations, shown);
  return {
    ok: true,
    instance: {
      id,
      get registrations() {
        return parted().registrations;
      },
      diagnosticListeners,
      heldBack: () => parted().names,
      pluginConfig,
      configSchema: manifest.configSchema,
      redact,
      timings: { loadMs, registerMs: parts.clock.monotonic() - start },
      currentConfig,
      serviceContext: {
        config: currentConfig(),
        stateDir,
        logger,
        ...cronOf(apiParts),
        get workspaceDir() {
          return parts.workspaceDir();
        },
      },
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
      : await ensureSnapshot(
          fs,
          join(stateDir, 'plugin-snapshots'),
          { id, rootDir: candidate.rootDir },
          files,
        );
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
  await withDeadline(returned, timeoutMs, clock);
}

interface Settled {
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  readonly currentConfig: () => OpenClawConfig;
  /** What the plugin's code had done to globals before it registered. */
  readonly damage: GlobalDamage;
  readonly diagnosticListeners: DiagnosticListeners;
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

function createLogger(log: Log, pluginId: string, redact: (text: string) => string): PluginLogger {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) =>
    log.write(level, `[${pluginId}] ${redact(errorMessage(message))}`, pluginId);
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
