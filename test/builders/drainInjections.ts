import type { PluginSessionState, QueuedInjection } from '../../src/sessions/pluginSessionState.ts';

/** What waits for the next turn of a session, read by a model as far as the queue knows. */
export async function drainInjections(
  state: PluginSessionState,
  sessionKey: string,
  isEligible: (pluginId: string) => boolean,
): Promise<readonly QueuedInjection[]> {
  const waiting = await state.waiting(
    { id: sessionKey.split(':').at(-1) ?? '', key: sessionKey },
    isEligible,
  );
  await waiting.consume();
  return waiting.injections;
}
