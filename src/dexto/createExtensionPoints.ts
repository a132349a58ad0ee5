// Threat: a plugin that can't be asked must not be a guard that is not there. What a blocking plugin does wrong stops the
// operation; what any other does wrong stops nothing.
import { cancelledError, throwIfAborted } from '../base/abort.ts';
import type { Clock } from '../host/ports.ts';
import { createDeadlines } from '../hooks/callHandler.ts';
import { callPlugin, type PluginCall } from './callPlugin.ts';
import type { ContextFactory } from './context/contextFactory.ts';
import { createPointReports, type PointReportParts } from './createPointReports.ts';
import { createProfiles } from './createProfiles.ts';
import type { ExecutionProfile } from './executionProfile.ts';
import type { ExtensionPoints, PointOutcome } from './extensionPoints.ts';
import { judgeCall, type Verdict } from './judgeCall.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import type { ExtensionPoint } from './pluginTypes.ts';
import type { PointTelemetry } from './telemetry/pointTelemetry.ts';

export interface ExtensionPointsParts extends PointReportParts {
  /** Those that run now, in the order they run. A point that is being passed keeps the list that it began with. */
  readonly plugins: () => readonly LoadedPlugin[];
  readonly clock: Clock;
  readonly context: ContextFactory;
  readonly telemetry?: PointTelemetry;
  /** Its profile has changed. */
  readonly profiled?: (plugin: LoadedPlugin) => void;
}

/** The extension points, and how the plugins behind them do. */
export interface ProfiledExtensionPoints extends ExtensionPoints {
  /** Empty where it was not called yet. */
  profileOf(plugin: LoadedPlugin): ExecutionProfile;
}

/** The four extension points over a list of plugins (Dexto plugin specification, Runtime Execution and Error Handling Pseudo-Code). */
export function createExtensionPoints(parts: ExtensionPointsParts): ProfiledExtensionPoints {
  const { plugins, clock, context, telemetry, profiled } = parts;
  const deadlines = createDeadlines(clock);
  const report = createPointReports(parts);
  const profiles = createProfiles();

  const ask = async <P extends ExtensionPoint>(asked: PluginCall<P>): Promise<Verdict<P>> => {
    const span = telemetry?.begin(asked);
    const answering = (): ReturnType<typeof callPlugin> => callPlugin(asked, context, deadlines);
    const end = await (span === undefined ? answering() : span.run(answering));
    const durationMs = clock.monotonic() - asked.startedAt;
    const verdict = judgeCall(asked, end);
    const { plugin, point } = asked;
    span?.end(verdict, durationMs);
    profiles.add(plugin, { point, durationMs, verdict, at: clock.now() });
    report(asked, verdict, durationMs);
    profiled?.(plugin);
    return verdict;
  };

  return {
    has(point) {
      // A loop, which leaves nothing on the heap: this is asked at every turn and call of those who have no plugin, too.
      for (const plugin of plugins()) if (plugin.points.includes(point)) return true;
      return false;
    },
    profileOf: (plugin) => profiles.of(plugin),

    async run(point, payload, call): Promise<PointOutcome<typeof point>> {
      let current = payload;
      for (const plugin of plugins()) {
        if (!plugin.points.includes(point)) continue;
        throwIfAborted(call.signal);
        const startedAt = clock.monotonic();
        const verdict = await ask({ plugin, point, payload: current, call, startedAt });
        if (verdict.outcome === 'cancelled') throw cancelledError();
        current = verdict.payload;
        const { block: message, notices } = verdict;
        if (message !== undefined)
          return { outcome: 'blocked', payload: current, pluginId: plugin.name, message, notices };
      }
      return { outcome: 'passed', payload: current };
    },
  };
}
