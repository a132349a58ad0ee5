import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginCandidate, PluginOrigin } from '../pluginTypes.ts';

/** What a look at the disk has found. */
export interface Discovery {
  readonly candidates: readonly PluginCandidate[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a look at the disk happens. */
export interface PluginSearchPlace {
  readonly origin: PluginOrigin;
  readonly workspaceDir?: string;
}

export const nothing: Discovery = { candidates: [], diagnostics: [] };

/** No plugin, and the reason why. */
export function problem(diagnostic: Diagnostic): Discovery {
  return { candidates: [], diagnostics: [diagnostic] };
}

/** A candidate that is refused for safety; `why` in upstream's words. */
export function blocked(source: string, why: string, hint?: string): Discovery {
  const about = { source, ...(hint === undefined ? {} : { hint }) };
  return problem(warnDiagnostic('plugin_candidate_blocked', `blocked plugin candidate: ${why}`, about));
}

export function allOf(found: readonly Discovery[]): Discovery {
  return {
    candidates: found.flatMap((each) => each.candidates),
    diagnostics: found.flatMap((each) => each.diagnostics),
  };
}
