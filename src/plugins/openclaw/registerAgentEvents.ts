// Threat: what turns say and do is a conversation. A plugin that listens to it needs the same permission of the user as a hook that does,
// and gets copies, after other plugins and people have judged and redacted what is in them.
import { errorMessage } from '../../base/errors.ts';
import { isJsonValue, isRecord } from '../../base/json.ts';
import { isThenable } from '../../base/untrusted.ts';
import type { AgentEventPayload, SessionTranscriptUpdate } from '../../sdk/types.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** More than any plugin needs; a loop that subscribes anew each time must not grow without end. */
const maxListeners = 100;

/** `api.runtime.events.onAgentEvent`: gives what takes the listener away again. */
export function onAgentEvent(parts: PluginApiParts, mayListen: boolean, listener: unknown): () => void {
  parts.assertLoaded('runtime.events.onAgentEvent');
  if (typeof listener !== 'function') throw new TypeError('onAgentEvent needs a function.');
  return listen(
    parts,
    mayListen,
    agentEvents(parts),
    (event) => Reflect.apply(listener, undefined, [event]) as unknown,
  );
}

/** `api.runtime.events.onSessionTranscriptUpdate`: the same for what is stored of conversations. */
export function onSessionTranscriptUpdate(
  parts: PluginApiParts,
  mayListen: boolean,
  listener: unknown,
): () => void {
  parts.assertLoaded('runtime.events.onSessionTranscriptUpdate');
  if (typeof listener !== 'function') throw new TypeError('onSessionTranscriptUpdate needs a function.');
  const listeners = parts.registrations.transcriptListeners;
  return listen<SessionTranscriptUpdate>(
    parts,
    mayListen,
    { listeners, what: 'transcript updates' },
    (update) => Reflect.apply(listener, undefined, [update]) as unknown,
  );
}

/** `api.agent.events.registerAgentEventSubscription`: the same for named streams, with the scratch values of the run. */
export function registerAgentEventSubscription(
  parts: PluginApiParts,
  mayListen: boolean,
  subscription: unknown,
): void {
  const { id, handle, streams } = isRecord(subscription) ? subscription : {};
  if (typeof id !== 'string' || id.trim() === '' || typeof handle !== 'function') {
    refuseRegistration(parts, 'agent event subscription registration requires id and handle');
    return;
  }
  const wanted: ReadonlySet<unknown> | undefined = Array.isArray(streams) ? new Set(streams) : undefined;
  const { runContexts, manifest } = parts;
  listen(parts, mayListen, agentEvents(parts), (event) => {
    if (wanted?.has(event.stream) === false) return undefined;
    const { runId } = event;
    const context = {
      getRunContext: (namespace: unknown) => runContexts.get(manifest.id, { runId, namespace }),
      setRunContext: (namespace: unknown, value: unknown) =>
        runContexts.set(manifest.id, { runId, namespace, value }),
      clearRunContext: (namespace?: unknown) => runContexts.clear(manifest.id, { runId, namespace }),
    };
    return Reflect.apply(handle, subscription, [event, context]) as unknown;
  });
}

/** `api.agent.events.emitAgentEvent`: tells everybody who listens, the plugin itself included. */
export function emitAgentEvent({ deliverAgentEvent, clock }: PluginApiParts, given: unknown): object {
  const { runId, stream, data, sessionKey } = isRecord(given) ? given : {};
  if (typeof runId !== 'string' || runId === '') return { emitted: false, reason: 'runId is required' };
  if (typeof stream !== 'string' || stream === '') return { emitted: false, reason: 'stream is required' };
  if (!isJsonValue(data)) return { emitted: false, reason: 'data must be JSON-compatible' };
  deliverAgentEvent({
    ...{ runId, stream, seq: 0, ts: clock.now(), data: isRecord(data) ? data : { value: data } },
    ...(typeof sessionKey === 'string' ? { sessionKey } : {}),
  });
  return { emitted: true, stream };
}

/** Where the listeners of one kind are kept, and what they hear in words. */
interface Listened<E> {
  readonly listeners: ((event: E) => void)[];
  readonly what: string;
}

function agentEvents({ registrations }: PluginApiParts): Listened<AgentEventPayload> {
  return { listeners: registrations.agentListeners, what: 'agent events' };
}

function listen<E>(
  parts: PluginApiParts,
  mayListen: boolean,
  { listeners, what }: Listened<E>,
  handle: (event: E) => unknown,
): () => void {
  const { registrations, manifest, call } = parts;
  if (!mayListen) return () => undefined;
  if (listeners.length >= maxListeners) {
    refuseRegistration(parts, `more than ${String(maxListeners)} listeners of ${what}`);
    return () => undefined;
  }
  let hasFailed = false;
  const failed = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    const message = `a listener of ${what} failed: ${errorMessage(error)}`;
    registrations.diagnostics.push(
      warnDiagnostic('plugin_event_listener_failed', message, { pluginId: manifest.id }),
    );
  };
  const listener = (event: E): void => {
    try {
      const result = call(`a listener of ${what}`, () => handle(structuredClone(event)));
      if (isThenable(result)) Promise.resolve(result).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
  listeners.push(listener);
  return () => {
    const index = listeners.indexOf(listener);
    if (index >= 0) listeners.splice(index, 1);
  };
}
