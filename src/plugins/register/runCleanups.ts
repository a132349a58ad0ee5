import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import { withDeadline } from '../withDeadline.ts';
import type { CleanupContext, Registrations } from './registrations.ts';

export interface CleanupSource {
  readonly pluginId: string;
  readonly registrations: Pick<Registrations, 'sessionExtensions' | 'lifecycles'>;
}

const timeoutMs = 5_000;

/**
 * Lets a plugin let go of what it holds, in reverse order of registration (OpenClaw hooks, Session extensions and next-turn
 * injections). Never rejects; what fails or takes longer than 5 s is reported.
 */
export async function runCleanups(
  { pluginId, registrations }: CleanupSource,
  context: CleanupContext,
  clock: Clock,
  report: (diagnostic: Diagnostic) => void,
): Promise<void> {
  const { sessionExtensions, lifecycles } = registrations;
  const cleanups = [
    ...sessionExtensions.map(({ namespace, cleanup }) => ({
      what: `session extension ${namespace}`,
      cleanup,
    })),
    ...lifecycles.map(({ id, cleanup }) => ({ what: `lifecycle ${id}`, cleanup })),
  ];
  for (const { what, cleanup } of cleanups.reverse()) {
    try {
      await withDeadline(Promise.resolve(cleanup?.({ ...context })), timeoutMs, clock);
    } catch (error) {
      const message = `cleanup of ${what} of plugin ${pluginId} failed: ${errorMessage(error)}`;
      report(warnDiagnostic('plugin_cleanup_failed', message, { pluginId }));
    }
  }
}
