import { type Event, createEmitter, type Emitter } from '../base/event.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createHookRegistry, type HookRegistry, type HookRunner } from '../hooks/hookRunner.ts';
import type { GatewayHookContext } from '../hooks/payloads/hookContexts.ts';
import type { HookRegistration } from '../hooks/hookRegistration.ts';
import type { Clock } from '../host/ports.ts';
import type { AgentEventPayload } from '../sdk/types.ts';
import type { Reports } from './createReports.ts';
import type { PluginInstance } from './loadPlugin.ts';
import type { PluginManager } from './pluginManager.ts';
import { policyHandler } from './openclaw/registerToolPolicy.ts';
import type { CleanupReason } from './register/registrations.ts';
import { runCleanups } from './register/runCleanups.ts';
import type { ServiceRunner } from './services/createServiceRunner.ts';
import type { PluginSlot } from './toRecord.ts';

/** The plugins that are loaded now, and the hooks and services that follow from them. */
interface LivePlugins {
  /** A plugin that was loaded has registered something more: `refresh` lets it take effect. */
  readonly onDidRegisterLate: Event<void>;
  slots(): readonly PluginSlot[];
  /** The loaded versions, in the order they register. */
  instances(): readonly PluginInstance[];
  /**
   * Replaces all. Hooks switch within one tick; then what is gone hears that it ends, its services stop, new ones start, and what is
   * gone cleans up: `reasonFor` says why.
   */
  swap(slots: readonly PluginSlot[], reasonFor: (pluginId: string) => CleanupReason): Promise<void>;
  /** Lets what a loaded plugin has registered late take effect. */
  refresh(): Promise<void>;
  /**
   * Those that are loaded now have heard `gateway_start`. From now on each one that comes hears it, and each one that goes hears
   * `gateway_stop`, until `quiet` is aborted.
   */
  announce(context: () => GatewayHookContext, quiet: AbortSignal): void;
  /** What those that are loaded now are told, but those that may not run any more. */
  readonly events: Pick<PluginManager, 'agentEvent' | 'transcriptUpdate' | 'diagnosticEvents'>;
  /** The same for an event that a plugin emits. */
  deliverAgentEvent(event: AgentEventPayload): void;
}

interface LivePluginParts {
  readonly registry: HookRegistry;
  /** A runner over other handlers than those of all plugins. */
  readonly runnerOf: (registry: HookRegistry) => Pick<HookRunner, 'observe'>;
  readonly services: ServiceRunner;
  readonly reports: Reports;
  readonly clock: Clock;
  /** Ids of plugins that run and may not any more: they hear no events. Default: none. */
  readonly forbidden?: () => ReadonlySet<string>;
}

export function createLivePlugins({
  registry,
  runnerOf,
  services,
  reports,
  clock,
  forbidden,
}: LivePluginParts): LivePlugins {
  const late: Emitter<void> = createEmitter();
  let slots: readonly PluginSlot[] = [];
  let hooks = registry.registerAll([]);
  /** Versions that have heard `gateway_start`. */
  const begun = new WeakSet<PluginInstance>();
  let announced: { readonly context: () => GatewayHookContext; readonly quiet: AbortSignal } | undefined;

  /** Only this version: the others began long ago, or go on. */
  const tell = async (
    hook: 'gateway_start' | 'gateway_stop',
    { registrations }: PluginInstance,
    reason?: string,
  ): Promise<void> => {
    const own = registrations.hooks.filter((each) => each.hook === hook);
    if (announced === undefined || announced.quiet.aborted || own.length === 0) return;
    const alone = createHookRegistry();
    alone.registerAll(own);
    const context = announced.context();
    const { port } = context;
    const start = port === undefined ? {} : { port };
    const stop = reason === undefined ? {} : { reason };
    await runnerOf(alone).observe(hook, hook === 'gateway_start' ? start : stop, context);
  };

  const switchHooks = (): void => {
    const live = instancesOf(slots);
    hooks.dispose();
    hooks = registry.registerAll([
      ...policiesOf(live, reports.report),
      ...live.flatMap(({ registrations }) => [...registrations.hooks, ...registrations.middleware]),
    ]);
  };

  const syncServices = async (): Promise<void> =>
    await services.sync(
      instancesOf(slots).map(({ id, registrations, serviceContext }) => ({
        pluginId: id,
        services: registrations.services,
        context: serviceContext,
      })),
    );

  const hearing = (): readonly PluginInstance[] => {
    const off = forbidden?.();
    return instancesOf(slots).filter(({ id }) => off?.has(id) !== true);
  };
  const deliverAgentEvent = (event: AgentEventPayload): void => {
    for (const { registrations } of hearing())
      for (const listener of [...registrations.agentListeners]) listener(event);
  };
  let diagnosticSeq = 0;
  const events: LivePlugins['events'] = {
    agentEvent(given) {
      if (!instancesOf(slots).some(({ registrations }) => registrations.agentListeners.length > 0)) return;
      const payload = given();
      if (payload !== undefined) deliverAgentEvent(payload);
    },
    transcriptUpdate(given) {
      const listeners = hearing().flatMap(({ registrations }) => registrations.transcriptListeners);
      const update = listeners.length === 0 ? undefined : given();
      if (update !== undefined) for (const listener of listeners) listener(update);
    },
    diagnosticEvents(given) {
      if (!instancesOf(slots).some(({ diagnosticListeners }) => diagnosticListeners.count() > 0)) return;
      for (const facts of given()) {
        diagnosticSeq += 1;
        const event = { ...facts, ts: clock.now(), seq: diagnosticSeq };
        for (const { diagnosticListeners } of hearing()) diagnosticListeners.deliver(event);
      }
    },
  };

  return {
    onDidRegisterLate: late.event,
    slots: () => slots,
    instances: () => instancesOf(slots),
    events,
    deliverAgentEvent,
    async refresh() {
      switchHooks();
      await syncServices();
    },
    announce(context, quiet) {
      announced = { context, quiet };
      for (const instance of instancesOf(slots)) begun.add(instance);
    },
    async swap(next, reasonFor) {
      const before = instancesOf(slots);
      const live = instancesOf(next);
      slots = next;
      for (const instance of live.filter((each) => !before.includes(each))) {
        reports.forget(instance.id, instance.redact);
        instance.onDidRegister(() => late.fire());
      }
      const gone = before.filter((each) => !live.includes(each));
      switchHooks();
      for (const instance of gone)
        if (begun.has(instance)) await tell('gateway_stop', instance, reasonFor(instance.id));
      await syncServices();
      for (const instance of live.filter((each) => !begun.has(each))) {
        if (announced === undefined) break;
        begun.add(instance);
        void tell('gateway_start', instance);
      }
      for (const instance of gone) {
        const source = { pluginId: instance.id, registrations: instance.registrations };
        await runCleanups(source, { reason: reasonFor(instance.id) }, clock, reports.report);
        instance.dispose();
      }
    },
  };
}

/** The trusted policies in the order of their plugins; of those with one id, the first counts. */
function policiesOf(
  instances: readonly PluginInstance[],
  report: (diagnostic: Diagnostic) => void,
): readonly HookRegistration[] {
  const all = instances.flatMap(({ id: pluginId, registrations }) =>
    registrations.policies.map((policy) => ({ pluginId, policy })),
  );
  return all
    .filter(({ policy }, index) => all.findIndex((each) => each.policy.id === policy.id) === index)
    .map(({ pluginId, policy }) => policyHandler(pluginId, policy, report));
}

function instancesOf(slots: readonly PluginSlot[]): readonly PluginInstance[] {
  return slots.flatMap(({ instance }) => instance ?? []);
}
