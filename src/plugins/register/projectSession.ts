import { errorMessage } from '../../base/errors.ts';
import { isJsonValue } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { isThenable } from '../../base/untrusted.ts';
import type { PluginSessionState, PluginValues } from '../../sessions/pluginSessionState.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import type { Registrations, SessionExtensionRegistration } from './registrations.ts';

interface ProjectionSource {
  readonly pluginId: string;
  readonly registrations: Pick<Registrations, 'sessionExtensions'>;
}

/**
 * What others may see of the state that plugins keep of a session: the stored value, or what the plugin's `project` makes of
 * it (OpenClaw hooks, Session extensions and next-turn injections). A projection that fails is left out and reported.
 */
export async function projectSession(
  sources: readonly ProjectionSource[],
  sessionKey: string,
  sessionState: PluginSessionState,
  report: (diagnostic: Diagnostic) => void,
): Promise<PluginValues> {
  const sessionId = await sessionState.open(sessionKey);
  const projected = sources.map(({ pluginId, registrations }) => {
    const values = registrations.sessionExtensions.flatMap((extension) => {
      const state = sessionState.read(sessionKey, pluginId, extension.namespace);
      try {
        const value = project(extension, { sessionKey, sessionId, state });
        return value === undefined ? [] : [[extension.namespace, value] as const];
      } catch (error) {
        const message = `session extension ${extension.namespace} of plugin ${pluginId} failed: ${errorMessage(error)}`;
        report(errorDiagnostic('plugin_projection_failed', message, { pluginId }));
        return [];
      }
    });
    return [pluginId, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(projected.filter(([, values]) => Object.keys(values).length > 0));
}

/** @throws Error where it gives a promise or what JSON can't hold */
function project(
  { project: show }: SessionExtensionRegistration,
  stored: { readonly sessionKey: string; readonly sessionId: string | undefined; readonly state: unknown },
): unknown {
  if (show === undefined) return stored.state;
  const value = show(stored);
  if (isThenable(value)) {
    // Nobody waits for it; a rejection must not reach the process.
    Promise.resolve(value).then(undefined, () => undefined);
    throw new Error('project must not return a promise');
  }
  if (value !== undefined && !isJsonValue(value)) throw new Error('project must return what JSON can hold');
  return value;
}
