import { errorMessage } from '../../base/errors.ts';
import { raceAbort } from '../../base/abort.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import type { PluginService, PluginServiceContext } from '../../sdk/types.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import { settlesWithin } from '../../host/settlesWithin.ts';
import { withDeadline } from '../withDeadline.ts';

export interface ServiceSource {
  readonly pluginId: string;
  readonly services: readonly PluginService[];
  readonly context: PluginServiceContext;
}

export interface ServiceRunner {
  /**
   * Stops what is gone, in reverse, and starts what is new, one after the other: the next one when the start before it has ended,
   * or had its 30 seconds (OpenClaw plugin API, Service Registration). Resolves when all have started, after a second at the
   * latest: the others start in the background. Never rejects; calls must not overlap.
   */
  sync(sources: readonly ServiceSource[]): Promise<void>;
}

interface Running {
  readonly pluginId: string;
  readonly service: PluginService;
  readonly context: PluginServiceContext;
  /** A start that failed is not tried again, and leaves nothing to stop. */
  state: 'waiting' | 'begun' | 'failed';
  /** Aborted when it is stopped: nobody waits for its start any more. */
  readonly gone: AbortController;
}

/** Nobody who loads plugins waits longer for starts: one may be a loop that only `stop` ends. */
const timeoutMs = 1_000;
const startMs = 30_000;
const stopMs = 5_000;

/** Runs the services of plugins. A failing one is reported and hurts no other. */
export function createServiceRunner(clock: Clock, report: (diagnostic: Diagnostic) => void): ServiceRunner {
  let known: readonly Running[] = [];
  let starts: Promise<void> = Promise.resolve();

  const stop = async ({ pluginId, service, context, gone }: Running): Promise<void> => {
    gone.abort();
    try {
      await withDeadline(Promise.resolve(service.stop?.(context)), stopMs, clock);
    } catch (error) {
      const message = `service "${service.id}" of plugin ${pluginId} failed to stop: ${errorMessage(error)}`;
      report(warnDiagnostic('plugin_service_failed', message, { pluginId }));
    }
  };

  /** A start that is late may still come to its end; so only one that threw has nothing to stop. */
  const start = async (each: Running): Promise<void> => {
    const { pluginId, service, context } = each;
    const starting = (async () => await service.start(context))();
    starting.catch(() => {
      each.state = 'failed';
    });
    try {
      await withDeadline(starting, startMs, clock);
    } catch (error) {
      if (!known.includes(each)) return;
      const message = `service "${service.id}" of plugin ${pluginId} failed to start: ${errorMessage(error)}`;
      report(errorDiagnostic('plugin_service_failed', message, { pluginId }));
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

  const startInOrder = async (added: readonly Running[]): Promise<void> => {
    for (const each of added) {
      if (!known.includes(each)) continue;
      each.state = 'begun';
      await raceAbort(start(each), each.gone.signal).catch(() => undefined);
    }
  };

  return {
    async sync(sources) {
      const wanted = withoutCollisions(
        sources.flatMap(({ pluginId, services, context }) =>
          services.map((service): Running => ({
            pluginId,
            service,
            context,
            state: 'waiting',
            gone: new AbortController(),
          })),
        ),
      );
      const isWanted = (each: Running): boolean => wanted.some(({ service }) => service === each.service);
      const isKnown = (each: Running): boolean => known.some(({ service }) => service === each.service);
      const gone = known.filter((each) => !isWanted(each) && each.state === 'begun').reverse();
      const added = wanted.filter((each) => !isKnown(each));
      known = [...known.filter(isWanted), ...added];
      for (const each of gone) await stop(each);
      starts = starts.then(() => startInOrder(added));
      await settlesWithin(starts, timeoutMs, clock);
    },
  };
}
