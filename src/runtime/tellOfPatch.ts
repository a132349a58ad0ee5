import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { SessionPatch } from '../sessions/pluginSessionState.ts';

/** `session:patch`: who changed what is kept of a session; the value itself is its plugin's. Nobody waits for the handlers. */
export function tellOfPatch(
  events: InternalEvents,
  { sessionKey, sessionId, pluginId, namespace }: SessionPatch,
): void {
  if (!events.has('session', 'patch')) return;
  const context = { sessionEntry: { sessionId }, patch: { pluginId, namespace } };
  void events.emit('session', 'patch', { sessionKey, context });
}
