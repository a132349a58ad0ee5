import { join } from 'node:path';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { createSupersedingQueue } from '../base/createSupersedingQueue.ts';
import { PincerError } from '../base/errors.ts';
import { userHomeOf } from '../config/configPaths.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import {
  createHookRegistry,
  createHookRunner,
  type HookRegistry,
  type HookRunner,
} from '../hooks/hookRunner.ts';
import type { HookTrace } from '../hooks/hookTrace.ts';
import { createReadTracker } from '../host/createReadTracker.ts';
import type { Clock, FileSystem, Log, Secrets } from '../host/ports.ts';
import {
  createPluginSessionState,
  type PluginSessionState,
  type PluginSessionStateDeps,
} from '../sessions/pluginSessionState.ts';
import { announceFirstRun, bringUp, slotWhileLoading, continueOld } from './bringUp.ts';
import { bringUpAll } from './bringUpAll.ts';
import { commandsOfFailed } from './commands/resolvePluginCommands.ts';
import { createConsentActions } from './consent/createConsentActions.ts';
import { createConsentStore, type ConsentStore } from './consent/consentStore.ts';
import type { CallGuard } from './createCallGuard.ts';
import { createHangGuard, type HangGuard } from './createHangGuard.ts';
import { createLivePlugins } from './createLivePlugins.ts';
import { createReports } from './createReports.ts';
import { createPermittedProviders } from './createPermittedProviders.ts';
import { placesOf } from './discover/discoverPlugins.ts';
import { createModuleLoader } from './load/createModuleLoader.ts';
import { logNew } from './logNew.ts';
import type { DeclaredKind, PluginInstance, PluginLoadParts } from './loadPlugin.ts';
import type { PluginLoadInput, PluginManager, PluginSettings } from './pluginManager.ts';
import { configFor, entryOf } from './pluginTypes.ts';
import { createRunContexts } from './register/createRunContexts.ts';
import { projectSession } from './register/projectSession.ts';
import { runSessionAction } from './register/runSessionAction.ts';
import { runCleanups } from './register/runCleanups.ts';
import { createServiceRunner } from './services/createServiceRunner.ts';
import type { PluginPlan } from './planPlugin.ts';
import { nothingShared, resolveShared, type SharedRegistrations } from './resolveShared.ts';
import { selectSlot } from './selectSlot.ts';
import { slotKeys } from './slots.ts';
import { summarizeFailures } from './summarizeFailures.ts';
import { infoDiagnostic } from './pluginDiagnostics.ts';
import { skillFoldersOf } from './skillFoldersOf.ts';
import { isInside } from './discover/isInside.ts';
import { surveyPlugins } from './surveyPlugins.ts';
import { diagnosticsOf, failedPlugin, isSwitchedOff, toRecord, type PluginSlot } from './toRecord.ts';
import { createToolSchemaReader } from './tools/createToolSchemaReader.ts';
import { resolvePluginTools } from './tools/resolvePluginTools.ts';

export interface PluginManagerParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the plugins that come with the program; undefined where there are none. */
  readonly bundledDir: string | undefined;
  /** `~/.pincer`, or what PINCER_HOME names: the user's own plugins and the consents. */
  readonly home: string;
  /** Outside of every workspace: snapshots of plugins, their own state, transpiled code. */
  readonly stateDir: string;
  readonly coreToolNames: readonly string[];
  /** Slash commands that plugins can't take; without the slash. */
  readonly reservedCommands: readonly string[];
  readonly settings: PluginSettings;
  /** The configuration as it is now, as far as plugins may read it; default empty. */
  readonly hostConfig?: () => Readonly<Record<string, unknown>>;
  /** Default: `consents.json` in `home`. */
  readonly consents?: ConsentStore;
  /** What plugins keep of sessions; default: there are no sessions. */
  readonly sessionState?: PluginSessionState;
  /** What `{ "secret": … }` and `{ "env": … }` in the settings of plugins stand for; default: nothing. */
  readonly secrets?: Pick<Secrets, 'get'>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `api.runtime.llm.complete`; default: there is no model for plugins. */
  readonly complete?: NonNullable<PluginLoadParts['complete']>;
  /** Asks the user's model for images; default: there is none. */
  readonly describeImage?: NonNullable<PluginLoadParts['describeImage']>;
  /** The web search of the user's config; default: there is none. */
  readonly webSearch?: NonNullable<PluginLoadParts['webSearch']>;
  /** Agents that plugins run through `api.runtime`; default: they can't. */
  readonly agents?: NonNullable<PluginLoadParts['agents']>;
  /** The schedule that plugins reach; default: there is none. */
  readonly schedule?: NonNullable<PluginLoadParts['schedule']>;
  /** `api.runtime.channel` of a plugin, and the settings of its channels; default: there is none. */
  readonly channels?: NonNullable<PluginLoadParts['channels']>;
  readonly channelConfig?: NonNullable<PluginLoadParts['channelConfig']>;
  /** The memory that plugins reach by `api.runtime`; default: there is none. */
  readonly memory?: NonNullable<PluginLoadParts['memory']>;
  /** The one of the window, where plugins of another dialect load as well; default one of its own. */
  readonly hangGuard?: HangGuard;
  /** The one of the window; without it no call of a plugin is skipped. */
  readonly callGuard?: CallGuard;
  /** False leaves services listed but not running; default true. */
  readonly startServices?: boolean;
  /** Who listens, plugins of another dialect included; default: one of its own. */
  readonly registry?: HookRegistry;
  /** Calls the handlers of `registry`; default: one of its own. */
  readonly hooks?: HookRunner;
  /** Ids of plugins that run and may not any more: they hear no events. Default: none. */
  readonly forbidden?: () => ReadonlySet<string>;
  /** Gets a line for each handler of each hook. */
  readonly trace?: (record: HookTrace) => void;
}

/** The plugin runtime of one workspace. Nothing is read or loaded before the first `load`. */
export function createPluginManager(parts: PluginManagerParts): PluginManager {
  const { fs, clock, log, trace, bundledDir } = parts;
  const changed: Emitter<void> = createEmitter();
  const reports = createReports(log, () => changed.fire());
  const { report } = reports;
  const { registry = createHookRegistry() } = parts;
  const consents = parts.consents ?? createConsentStore(fs, parts.home);
  const consentActions = createConsentActions(consents, clock);
  // What comes with the program changes only with it, and the window starts anew then: each turn would look at its files in vain.
  const reads = createReadTracker(fs, (path) => bundledDir === undefined || !isInside(bundledDir, path));
  const readSchema = createToolSchemaReader();
  const runContexts = createRunContexts();
  const sessionState =
    parts.sessionState ?? createPluginSessionState({ ...parts, ...noSessions(parts.stateDir) });
  const runnerOf = (handlers: HookRegistry): HookRunner =>
    createHookRunner({ registry: handlers, clock, report, ...(trace === undefined ? {} : { trace }) });
  const live = createLivePlugins({
    ...(parts.forbidden === undefined ? {} : { forbidden: parts.forbidden }),
    registry,
    runnerOf,
    reports,
    services:
      parts.startServices === false ? { sync: () => Promise.resolve() } : createServiceRunner(clock, report),
    clock,
  });
  let lastInput: PluginLoadInput | undefined;
  /** By entry file: what code says where the manifest is silent. */
  const declared = new Map<string, Known>();
  let found: readonly Diagnostic[] = [];
  let shared = nothingShared;
  /** A newer load does not wait for plugins that wait for something. */
  const loads = createSupersedingQueue();
  const closing = new AbortController();

  const loadParts: PluginLoadParts = {
    ...parts,
    deliverAgentEvent: (event) => live.deliverAgentEvent(event),
    sessionState,
    runContexts,
    loader: createModuleLoader({ log, stateDir: parts.stateDir }),
    hangGuard: parts.hangGuard ?? createHangGuard(parts),
    homeDir: userHomeOf(parts.home),
    workspaceDir: () => lastInput?.roots[0],
  };

  const inTurn = (work: (superseded: AbortSignal) => Promise<void>): Promise<void> =>
    loads.run((superseded) => (closing.signal.aborted ? undefined : work(superseded)));

  /** Changes of what runs never overlap; they wait for no load. */
  const inSwap = createSerialQueue();

  /** What a plugin kept of sessions goes with it where the user has switched it off or removed it, in a trusted window. */
  const swap = async (next: readonly PluginSlot[], trusted: boolean): Promise<void> => {
    const isOff = (id: string): boolean =>
      trusted && next.every((slot) => slot.plan.id !== id || isSwitchedOff(slot));
    const off = live.instances().flatMap(({ id }) => (isOff(id) ? [id] : []));
    await live.swap(next, (id) => (isOff(id) ? 'disable' : 'restart'));
    for (const id of off) await sessionState.removePlugin(id);
  };

  const isOfWorkspace = (pluginId: string): boolean =>
    live
      .slots()
      .some(
        ({ plan, instance }) =>
          plan.id === pluginId && instance !== undefined && plan.candidate.origin === 'workspace',
      );

  const resolveAll = (): SharedRegistrations =>
    resolveShared(live.instances(), { clock, report, reserved: parts.reservedCommands, isOfWorkspace });

  let lateIsPending = false;
  const applyLate = async (): Promise<void> => {
    lateIsPending = false;
    await live.refresh();
    shared = resolveAll();
    changed.fire();
  };
  live.onDidRegisterLate(() => {
    if (lateIsPending) return;
    lateIsPending = true;
    void inSwap(applyLate);
  });

  const load = async (
    input: PluginLoadInput,
    superseded: AbortSignal,
    force: (id: string) => boolean = () => false,
  ): Promise<void> => {
    lastInput = input;
    const places = placesOf(parts, input.roots, input.config.load.paths);
    const survey = await reads.record((noted) =>
      surveyPlugins(noted, consents, { ...input, places, kindOf: (source) => declared.get(source)?.kind }),
    );
    const plans = await Promise.all(survey.plans.map((plan) => announceFirstRun(plan, consents)));
    const before = live.slots();
    let known = [...found, ...before.flatMap(diagnosticsOf)];
    const tasks = (await continueOld(plans, before, consents)).map(({ plan, old }) => ({
      slot: bringUp(loadParts, plan, old, input, {
        force: force(plan.id),
        ...evaluatedOf(declared.get(plan.candidate.source)),
      }),
      meanwhile: slotWhileLoading(plan, old, input),
      discard({ instance }: PluginSlot) {
        if (instance !== old?.instance) instance?.dispose();
      },
    }));
    const publish = (next: readonly PluginSlot[]): Promise<void> =>
      inSwap(async () => {
        const all = [...survey.diagnostics, ...next.flatMap(diagnosticsOf)];
        logNew(log, known, all);
        known = all;
        found = survey.diagnostics;
        await swap(next, input.trusted);
        shared = resolveAll();
        changed.fire();
      });
    await bringUpAll(tasks, { clock, publish, closing: closing.signal, superseded });
    const failures = summarizeFailures(live.slots());
    if (failures !== undefined) log.write(failures.level, failures.message);
    const isNews = keepDeclared(declared, live.slots());
    // Who fills a slot is decided again with what the code says.
    if (isNews && !superseded.aborted && !closing.signal.aborted) await load(input, superseded, force);
  };

  /** Another load with the last input, `change` applied. */
  const loadAgain = (change: Partial<PluginLoadInput>, force?: (id: string) => boolean): Promise<void> =>
    inTurn(async (superseded) => {
      if (lastInput !== undefined) await load({ ...lastInput, ...change }, superseded, force);
    });

  const agreed = async (change: Promise<void>): Promise<void> => {
    await change;
    await loadAgain({});
  };

  const find = (id: string): PluginPlan => {
    const plans = live.slots().map((slot) => slot.plan);
    const plan =
      plans.find((each) => each.id === id && each.needsConsent !== undefined) ??
      plans.find((each) => each.id === id);
    if (plan !== undefined) return plan;
    throw new PincerError('plugin_unknown', `There is no plugin "${id}".`, {
      hint: 'Look at the list of plugins.',
    });
  };

  const mayInject = (pluginId: string): boolean => {
    const plan = live.slots().find((slot) => slot.plan.id === pluginId && slot.instance !== undefined)?.plan;
    if (plan === undefined || lastInput === undefined) return false;
    const entry = entryOf(configFor(lastInput.config, plan.candidate.origin), pluginId);
    return entry.hooks?.allowPromptInjection !== false;
  };

  const permitted = createPermittedProviders({
    slots: () => live.slots(),
    config: () => lastInput?.config,
    hostProviders: () => shared.hostProviders,
    isOfWorkspace,
    mayInject,
  });

  const close = async (): Promise<void> => {
    closing.abort();
    await loads.settled();
    await inSwap(() => swap([], false));
    changed.dispose();
  };

  return {
    onDidChange: changed.event,
    hooks: parts.hooks ?? runnerOf(registry),
    announce: (context) => live.announce(context, closing.signal),
    load: (input) => inTurn((superseded) => load(input, superseded)),
    reload: (id) => loadAgain({}, (each) => id === undefined || each === id),
    plugins: () =>
      live.slots().map((slot) => {
        // Of several plugins with one id, what happens at run time belongs to the one that runs.
        const later = slot.instance === undefined ? [] : reports.of(slot.plan.id);
        return toRecord(slot, later, registry);
      }),
    diagnostics: () => [
      ...found,
      ...live.slots().flatMap(diagnosticsOf),
      ...permitted.contextEngine().problems,
      ...reports.list(),
    ],
    tools(context) {
      const sources = live.instances().map(({ id, registrations: { tools, toolMetadata: metadata } }) => ({
        pluginId: id,
        tools,
        metadata,
      }));
      const resolved = resolvePluginTools(sources, context, parts.coreToolNames, readSchema);
      resolved.diagnostics.forEach(report);
      return resolved.tools;
    },
    commands: () => [
      ...shared.commands,
      ...commandsOfFailed(live.slots().flatMap(failedPlugin), [
        ...parts.reservedCommands,
        ...shared.commands.map(({ name }) => name),
      ]),
    ],
    cli: () => shared.cli,
    internalHooks: () => shared.internalHooks,
    httpRoutes: () => shared.httpRoutes,
    gatewayMethods: () => shared.gatewayMethods,
    channels: () => shared.channels,
    report,
    providers: () => shared.providers,
    hostProviders: () => permitted.hostProviders(),
    contextEngine: () => permitted.contextEngine().engine,
    memoryCapability: () => permitted.memoryCapability(),
    memorySupplements: () => permitted.memorySupplements(),
    skillFolders: () =>
      live
        .slots()
        .flatMap((slot) => (slot.instance !== undefined && mayInject(slot.plan.id) ? [slot.plan] : []))
        .flatMap(skillFoldersOf),
    mayInject,
    redact: (text) => live.instances().reduce((rest, instance) => instance.redact(rest), text),
    ...live.events,
    endRun: (runId) => runContexts.end(runId),
    sessionExtensions: (sessionKey) =>
      projectSession(live.instances().map(sourceOf), sessionKey, sessionState, report),
    runSessionAction: (request) => runSessionAction(live.instances().map(sourceOf), request, clock),
    async endSession({ id, key: sessionKey }, reason) {
      for (const instance of live.instances())
        await runCleanups(sourceOf(instance), { reason, sessionKey }, clock, report);
      await sessionState.removeSession(id);
    },
    async setEnabled(id, enabled, scope) {
      await loadAgain({ config: await parts.settings.set(['entries', id, 'enabled'], enabled, scope) });
    },
    async configure(path, value) {
      await loadAgain({ config: await parts.settings.set(path, value, 'user') });
    },
    async chooseSlot(slot, id) {
      const slots = slotKeys.find((key) => key === slot);
      if (slots === undefined || lastInput === undefined) return;
      const plugins = live.slots().map(({ plan }) => ({ id: plan.id, kind: plan.manifest?.kind ?? [] }));
      const { changes, warnings } = selectSlot(slots, find(id).id, plugins, lastInput.config);
      let { config } = lastInput;
      for (const { path, value } of changes) config = await parts.settings.set(path, value, 'user');
      await loadAgain({ config });
      for (const message of warnings)
        reports.report(infoDiagnostic('plugin_slot_switched', message, { pluginId: id }));
    },
    grantConsent: async (id, hash) => await agreed(consentActions.grant(find(id), hash)),
    allowRegistrations: async (id, names) => await agreed(consentActions.allowMore(find(id), names)),
    setDeveloping: async (id, developing) => await agreed(consentActions.setDeveloping(find(id), developing)),
    revokeConsent: async (id) => await agreed(consentActions.revoke(id)),
    isOutdated: () => reads.isOutdated(),
    filesChanged: (saved) =>
      inTurn(async (superseded) => {
        if (lastInput === undefined) return;
        await load(lastInput, superseded);
        const plans = live.slots().map((slot) => slot.plan);
        if (await consentActions.renew(plans, saved)) await load(lastInput, superseded);
      }),
    close,
    dispose: () => void close(),
  };
}

type Known = Pick<DeclaredKind, 'kind'> & Partial<DeclaredKind>;

/** Notes what code was found to say; true where something was. What was evaluated for it has been used then. */
function keepDeclared(declared: Map<string, Known>, slots: readonly PluginSlot[]): boolean {
  for (const [source, { kind }] of declared) declared.set(source, { kind });
  const news = slots.flatMap(({ plan, declared: own }) => (own === undefined ? [] : [{ plan, own }]));
  for (const { plan, own } of news) declared.set(plan.candidate.source, own);
  return news.length > 0;
}

function evaluatedOf(known: Known | undefined): Partial<Pick<DeclaredKind, 'evaluated'>> {
  return known?.evaluated === undefined ? {} : { evaluated: known.evaluated };
}

function sourceOf({ id: pluginId, registrations }: PluginInstance) {
  return { pluginId, registrations };
}

function noSessions(stateDir: string): Pick<PluginSessionStateDeps, 'folder' | 'sessionOf'> {
  return { folder: join(stateDir, 'sessions'), sessionOf: () => Promise.resolve(undefined) };
}
