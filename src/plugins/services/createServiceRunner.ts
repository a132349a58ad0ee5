import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import type { PluginService, PluginServiceContext } from '../../sdk/types.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import { withDeadline } from '../withDeadline.ts';

export interface ServiceSource {
  readonly pluginId: string;
  readonly services: readonly PluginService[];
  readonly context: PluginServiceContext;
}

export interface ServiceRunner {
  /** Starts what is new, in order, and stops what is gone, in reverse (seed 002, 4). Never rejects. */
  sync(sources: readonly ServiceSource[]): Promise<void>;
}

interface Running {
  readonly pluginId: string;
  readonly service: PluginService;
  readonly context: PluginServiceContext;
  /** False where its start failed: it is not tried again, and there is nothing to stop. */
  readonly started: boolean;
}

const startMs = 30_000;
const stopMs = 5_000;

/** Runs the services of plugins. A failing one is reported and hurts no other. */
export function createServiceRunner(clock: Clock, report: (diagnostic: Diagnostic) => void): ServiceRunner {
  let known: readonly Running[] = [];

  const stop = async ({ pluginId, service, context }: Running): Promise<void> => {
    try {
      await withDeadline(Promise.resolve(service.stop?.(context)), stopMs, clock);
    } catch (error) {
      const message = `service "${service.id}" of plugin ${pluginId} failed to stop: ${errorMessage(error)}`;
      report(warnDiagnostic('plugin_service_failed', message, { pluginId }));
    }
  };

  const start = async ({ pluginId, service, context }: Running): Promise<boolean> => {
    try {
      await withDeadline(Promise.resolve(service.start(context)), startMs, clock);
      return true;
    } catch (error) {
      const message = `service "${service.id}" of plugin ${pluginId} failed to start: ${errorMessage(error)}`;
      report(errorDiagnostic('plugin_service_failed', message, { pluginId }));
      return false;
    }
  };

  /** The first service of an id counts. */
  const withoutCollisions = (wanted: readonly Running[]): readonly Running[] => {
    const byId = new Map<string, Running>();
    for (const each of wanted) {
      const other = byId.get(each.service.id);
      if (other === undefined) byId.set(each.service.id, each);
      else {
        const message = `service already registered: ${each.service.id} (${other.pluginId})`;
        report(errorDiagnostic('plugin_service_refused', message, { pluginId: each.pluginId }));
      }
    }
    return [...byId.values()];
  };

  return {
    async sync(sources) {
      const wanted = withoutCollisions(
        sources.flatMap(({ pluginId, services, context }) =>
          services.map((service) => ({ pluginId, service, context, started: false })),
        ),
      );
      const isWanted = (each: Running): boolean => wanted.some(({ service }) => service === each.service);
      const isKnown = (each: Running): boolean => known.some(({ service }) => service === each.service);
      const gone = known.filter((each) => !isWanted(each) && each.started).reverse();
      const added = wanted.filter((each) => !isKnown(each));
      known = known.filter(isWanted);
      for (const each of gone) await stop(each);
      for (const each of added) known = [...known, { ...each, started: await start(each) }];
    },
  };
}
