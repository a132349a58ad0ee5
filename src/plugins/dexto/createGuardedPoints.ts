// Threat: a turn that runs is judged by nobody while its guards are being replaced, or after the new ones could not be started. It
// waits for them, and what they can't judge is stopped.
import { raceAbort } from '../../base/abort.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ProfiledExtensionPoints } from '../../dexto/createExtensionPoints.ts';
import { agentFileId } from './planShown.ts';

export interface GuardedPointsParts {
  readonly points: ProfiledExtensionPoints;
  /** Why plugins that should run do not; undefined where all of them do, or there are none. */
  readonly problem: () => Diagnostic | undefined;
  /** Resolves once nothing loads any more. Never rejects. */
  readonly settled: () => Promise<void>;
}

/** The extension points, shut as long as the plugins behind them are away. */
export function createGuardedPoints({
  points,
  problem,
  settled,
}: GuardedPointsParts): ProfiledExtensionPoints {
  return {
    has: (point) => points.has(point) || problem() !== undefined,
    profileOf: (plugin) => points.profileOf(plugin),
    async run(point, payload, call) {
      if (problem() !== undefined) await raceAbort(settled(), call.signal);
      const why = problem();
      if (why === undefined) return await points.run(point, payload, call);
      const message = `The plugins of the agent file do not run: ${why.message}`;
      return { outcome: 'blocked', payload, pluginId: agentFileId, message, notices: [] };
    },
  };
}
