import { basename, dirname, join } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createHookRegistry } from '../hooks/createHookRegistry.ts';
import { createHookRunner } from '../hooks/createHookRunner.ts';
import type { HookTrace } from '../hooks/hookTrace.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import {
  createPluginSessionState,
  type PluginSessionState,
  type PluginSessionStateDeps,
} from '../sessions/pluginSessionState.ts';
import { announceFirstRun } from './announceFirstRun.ts';
import { bringUp } from './bringUp.ts';
import { resolvePluginCommands } from './commands/pluginCommands.ts';
import { createConsentStore, type ConsentStore } from './consent/consentStore.ts';
import { createLivePlugins } from './createLivePlugins.ts';
import { createReports } from './createReports.ts';
import type { PluginPlaces } from './discover/discoverPlugins.ts';
import { createModuleLoader } from './load/createModuleLoader.ts';
import { findCollisions } from './listed/findCollisions.ts';
import type { PluginInstance, PluginLoadParts } from './loadPlugin.ts';
import type { PluginLoadInput, PluginManager, PluginSettings } from './pluginManager.ts';
import { configFor, entryOf } from './pluginTypes.ts';
import { createRunContexts } from './register/createRunContexts.ts';
import type { Registrations } from './register/registrations.ts';
import { runCleanups, type CleanupSource } from './register/runCleanups.ts';
import { createServiceRunner } from './services/createServiceRunner.ts';
import type { PluginPlan } from './planPlugin.ts';
import { surveyPlugins } from './surveyPlugins.ts';
import { diagnosticsOf, toRecord, type PluginSlot } from './toRecord.ts';
import type { TrustedPolicy } from '../tools/pipeline/judgeByPolicies.ts';
import { toTrustedPolicy } from './policies/toTrustedPolicy.ts';
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
  /** Default: `consents.json` in `home`. */
  readonly consents?: ConsentStore;
  /** What plugins keep of sessions; default: there are no sessions. */
  readonly sessionState?: PluginSessionState;
  /** Gets a line for each handler of each hook. */
  readonly trace?: (record: HookTrace) => void;
}

/** The plugin runtime of one workspace. Nothing is read or loaded before the first `load`. */
export function createPluginManager(parts: PluginManagerParts): PluginManager {
  const { fs, clock, log, trace } = parts;
  const changed: Emitter<void> = createEmitter();
  const reports = createReports(log, () => changed.fire());
  const registry = createHookRegistry();
  const consents = parts.consents ?? createConsentStore(fs, parts.home);
  const readSchema = createToolSchemaReader();
  const runContexts = createRunContexts();
  const sessionState =
    parts.sessionState ?? createPluginSessionState({ ...parts, ...noSessions(parts.stateDir) });
  const loadParts: PluginLoadParts = {
    ...parts,
    sessionState,
    runContexts,
    loader: createModuleLoader(),
    homeDir: userHomeOf(parts.home),
  };
  const live = createLivePlugins({
    registry,
    reports,
    services: createServiceRunner(clock, reports.report),
    clock,
    registeredLate: () => void inTurn(applyLate),
  });

  let lastInput: PluginLoadInput | undefined;
  let found: readonly Diagnostic[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const turn = queue.then(() => (closed ? undefined : work()));
    queue = turn.catch(() => undefined);
    await turn;
  };

  const load = async (input: PluginLoadInput, force: (id: string) => boolean): Promise<void> => {
    lastInput = input;
    const survey = await surveyPlugins(fs, consents, { ...input, places: placesOf(parts, input) });
    const plans = await Promise.all(survey.plans.map((plan) => announceFirstRun(plan, consents)));
    const before = live.slots();
    const next = await Promise.all(
      plans.map((plan) => bringUp(loadParts, plan, oldSlot(before, plan, plans), input, force(plan.id))),
    );
    logNew(
      log,
      [...found, ...before.flatMap(diagnosticsOf)],
      [...survey.diagnostics, ...next.flatMap(diagnosticsOf)],
    );
    found = survey.diagnostics;
    await swap(next, input.trusted);
    resolveShared();
    changed.fire();
  };

  /** A plugin that a trusted window no longer runs was switched off or removed: what it kept of sessions goes with it. */
  const swap = async (next: readonly PluginSlot[], trusted: boolean): Promise<void> => {
    const running = new Set(next.flatMap(({ instance }) => instance?.id ?? []));
    const isOff = (id: string): boolean => trusted && !running.has(id);
    const off = live.instances().flatMap(({ id }) => (isOff(id) ? [id] : []));
    await live.swap(next, (id) => (isOff(id) ? 'disable' : 'restart'));
    for (const id of off) await sessionState.removePlugin(id);
  };

  const applyLate = async (): Promise<void> => {
    await live.refresh();
    resolveShared();
    changed.fire();
  };

  let commands: ReturnType<typeof resolvePluginCommands>['commands'] = [];
  let policies: readonly TrustedPolicy[] = [];
  /** What all plugins share and must not take twice. */
  const resolveShared = (): void => {
    const sources = live.instances().map(({ id, registrations, serviceContext }) => ({
      pluginId: id,
      commands: registrations.commands,
      config: serviceContext.config,
    }));
    const resolved = resolvePluginCommands(sources, clock, reports.report);
    resolved.diagnostics.forEach(reports.report);
    commands = resolved.commands;
    policies = live
      .instances()
      .flatMap(({ id, registrations }) =>
        registrations.policies.map((policy) => toTrustedPolicy(id, policy, clock, reports.report)),
      )
      .filter((policy, index, all) => all.findIndex(({ id }) => id === policy.id) === index);
    findCollisions(live.instances().map(sourceOf)).forEach(reports.report);
  };

  /** Another load with the last input, `change` applied. */
  const loadAgain = (
    change: Partial<PluginLoadInput>,
    force: (id: string) => boolean = () => false,
  ): Promise<void> =>
    inTurn(async () => {
      if (lastInput !== undefined) await load({ ...lastInput, ...change }, force);
    });

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

  const close = async (): Promise<void> => {
    await inTurn(() => swap([], false));
    closed = true;
    changed.dispose();
  };

  return {
    onDidChange: changed.event,
    hooks: createHookRunner({
      registry,
      clock,
      report: reports.report,
      ...(trace === undefined ? {} : { trace }),
    }),
    load: (input) => inTurn(() => load(input, () => false)),
    reload: (id) => loadAgain({}, (each) => id === undefined || each === id),
    plugins: () =>
      live.slots().map((slot) => toRecord(slot, isWinner(slot) ? reports.of(slot.plan.id) : [], registry)),
    diagnostics: () => [...found, ...live.slots().flatMap(diagnosticsOf), ...reports.list()],
    tools(context) {
      const sources = live
        .instances()
        .map(({ id, registrations }) => ({ pluginId: id, tools: registrations.tools }));
      const resolved = resolvePluginTools(sources, context, parts.coreToolNames, readSchema);
      resolved.diagnostics.forEach(reports.report);
      return resolved.tools;
    },
    commands: () => commands,
    cli: () =>
      live.instances().flatMap(({ id, registrations, serviceContext }) =>
        registrations.cli.map((registration) => ({
          pluginId: id,
          ...registration,
          context: serviceContext,
        })),
      ),
    policies: () => policies,
    internalHooks: () =>
      live
        .instances()
        .flatMap(({ id, registrations }) =>
          registrations.internalHooks.map((hook) => ({ pluginId: id, ...hook })),
        ),
    mayInject(pluginId) {
      const plan = live
        .slots()
        .find((slot) => slot.plan.id === pluginId && slot.instance !== undefined)?.plan;
      if (plan === undefined || lastInput === undefined) return false;
      const entry = entryOf(configFor(lastInput.config, plan.candidate.origin), pluginId);
      return entry.hooks?.allowPromptInjection !== false;
    },
    endRun: (runId) => runContexts.end(runId),
    async endSession(sessionKey, reason) {
      for (const instance of live.instances())
        await runCleanups(sourceOf(instance), { reason, sessionKey }, clock, reports.report);
      await sessionState.removeSession(sessionKey);
    },
    async setEnabled(id, enabled, scope) {
      await loadAgain({ config: await parts.settings.set(['entries', id, 'enabled'], enabled, scope) });
    },
    async configure(path, value) {
      await loadAgain({ config: await parts.settings.set(path, value, 'user') });
    },
    async grantConsent(id, hash) {
      const { candidate, needsConsent, fileHashes } = find(id);
      if (needsConsent === undefined || fileHashes === undefined) {
        throw new PincerError('plugin_needs_no_consent', `Plugin "${id}" does not wait for consent.`);
      }
      if (hash !== undefined && hash !== needsConsent.hash) {
        throw new PincerError('plugin_changed', `Plugin "${id}": its files changed while you were asked.`, {
          hint: 'Look again at what it asks for.',
        });
      }
      const { rootDir } = candidate;
      await consents.grant({
        id,
        rootDir,
        hash: needsConsent.hash,
        files: fileHashes,
        grantedAt: clock.now(),
      });
      await loadAgain({});
    },
    async revokeConsent(id) {
      await consents.revoke(id);
      await loadAgain({});
    },
    close,
    dispose: () => void close(),
  };
}

function placesOf(
  { bundledDir, home }: PluginManagerParts,
  { roots, config }: PluginLoadInput,
): PluginPlaces {
  const openClaw = join(userHomeOf(home), '.openclaw', 'extensions');
  return { bundledDir, globalDirs: [join(home, 'plugins'), openClaw], roots, loadPaths: config.load.paths };
}

/** The folder that holds `.pincer`. A home that PINCER_HOME has moved stands for it too, so that nothing else is read. */
function userHomeOf(home: string): string {
  return basename(home) === '.pincer' ? dirname(home) : home;
}

/**
 * The slot that a plan continues: the same plugin from the same entry file. A version whose replacement waits for consent
 * gives way to another plugin of its id that may run, so that never two of one id do.
 */
function oldSlot(
  slots: readonly PluginSlot[],
  { id, candidate, enablement }: PluginPlan,
  plans: readonly PluginPlan[],
): PluginSlot | undefined {
  const givesWay = !enablement.enabled && plans.some((each) => each.id === id && each.enablement.enabled);
  return givesWay
    ? undefined
    : slots.find(({ plan }) => plan.id === id && plan.candidate.source === candidate.source);
}

function sourceOf({
  id,
  registrations,
}: PluginInstance): CleanupSource & { readonly registrations: Registrations } {
  return { pluginId: id, registrations };
}

function noSessions(stateDir: string): Pick<PluginSessionStateDeps, 'folder' | 'sessionExists'> {
  return { folder: join(stateDir, 'sessions'), sessionExists: () => Promise.resolve(false) };
}

/** Of several plugins with one id, what happens at run time belongs to the one that runs. */
function isWinner({ instance }: PluginSlot): boolean {
  return instance !== undefined;
}

function logNew(log: Log, before: readonly Diagnostic[], after: readonly Diagnostic[]): void {
  const known = new Set(before.map(({ pluginId, message }) => `${pluginId ?? ''}\n${message}`));
  for (const { level, pluginId, message } of after) {
    if (!known.has(`${pluginId ?? ''}\n${message}`)) {
      log.write(level, pluginId === undefined ? message : `[${pluginId}] ${message}`);
    }
  }
}
