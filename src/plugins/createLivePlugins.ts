import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HookRegistry } from '../hooks/hookRunner.ts';
import type { HookRegistration } from '../hooks/callHandler.ts';
import type { Clock } from '../host/ports.ts';
import type { Reports } from './createReports.ts';
import type { PluginInstance } from './loadPlugin.ts';
import { policyHandler } from './openclaw/registerToolPolicy.ts';
import type { CleanupReason } from './register/registrations.ts';
import { runCleanups } from './register/runCleanups.ts';
import type { ServiceRunner } from './services/createServiceRunner.ts';
import type { PluginSlot } from './toRecord.ts';

/** The plugins that are loaded now, and the hooks and services that follow from them. */
export interface LivePlugins {
  slots(): readonly PluginSlot[];
  /** The loaded versions, in the order they register. */
  instances(): readonly PluginInstance[];
  /**
   * Replaces all. Hooks switch within one tick; then services of what is gone stop, new ones start, and what is gone cleans
   * up: `reasonFor` says why it ends.
   */
  swap(slots: readonly PluginSlot[], reasonFor: (pluginId: string) => CleanupReason): Promise<void>;
  /** Lets what a loaded plugin has registered late take effect. */
  refresh(): Promise<void>;
}

export interface LivePluginParts {
  readonly registry: HookRegistry;
  readonly services: ServiceRunner;
  readonly reports: Reports;
  readonly clock: Clock;
  /** Takes what policies do wrong. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called when a loaded plugin registers something late. */
  readonly registeredLate: () => void;
}

export function createLivePlugins({
  registry,
  services,
  reports,
  clock,
  report,
  registeredLate,
}: LivePluginParts): LivePlugins {
  let slots: readonly PluginSlot[] = [];
  let hooks = registry.registerAll([]);

  const activate = async (): Promise<void> => {
    const live = instancesOf(slots);
    hooks.dispose();
    hooks = registry.registerAll([
      ...policiesOf(live, report),
      ...live.flatMap(({ registrations }) => [...registrations.hooks, ...registrations.middleware]),
    ]);
    await services.sync(
      live.map(({ id, registrations, serviceContext }) => ({
        pluginId: id,
        services: registrations.services,
        context: serviceContext,
      })),
    );
  };

  return {
    slots: () => slots,
    instances: () => instancesOf(slots),
    refresh: activate,
    async swap(next, reasonFor) {
      const before = instancesOf(slots);
      const live = instancesOf(next);
      slots = next;
      for (const instance of live.filter((each) => !before.includes(each))) {
        reports.forget(instance.id);
        instance.onDidRegister(registeredLate);
      }
      await activate();
      for (const instance of before.filter((each) => !live.includes(each))) {
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
