import { createHash } from 'node:crypto';
import { isRecord } from '../../base/json.ts';
import { copyData } from '../../base/untrusted.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { NextTurnInjection } from '../../sessions/pluginSessionState.ts';
import type { CleanupContext, LifecycleRegistration } from '../register/registrations.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/** `api.registerSessionExtension`: a namespace of JSON state in every session (OpenClaw hooks, Session extensions and next-turn injections). */
export function registerSessionExtension(parts: PluginApiParts, extension: unknown): void {
  const { namespace, description, project, cleanup } = isRecord(extension) ? extension : {};
  const problem =
    textOf(namespace) === undefined || textOf(description) === undefined
      ? 'session extension registration requires namespace and description'
      : project !== undefined && !isCallback(project)
        ? 'session extension project must be a function'
        : cleanup !== undefined && !isCallback(cleanup)
          ? 'session extension cleanup must be a function'
          : parts.registrations.sessionExtensions.some((each) => each.namespace === textOf(namespace))
            ? `session extension already registered: ${textOf(namespace) ?? ''}`
            : undefined;
  if (problem !== undefined) {
    refuseRegistration(parts, problem);
    return;
  }
  parts.registrations.sessionExtensions.push({
    namespace: textOf(namespace) ?? '',
    description: textOf(description) ?? '',
    ...(isCallback(project) ? { project: (context: object) => project.call(extension, context) } : {}),
    ...(isCallback(cleanup) ? { cleanup: calling(cleanup, extension) } : {}),
  });
}

/** `api.session.controls.registerSessionAction`: something that a person starts on one session. */
export function registerSessionAction(parts: PluginApiParts, action: unknown): void {
  const { id, description, schema, handler } = isRecord(action) ? action : {};
  const name = textOf(id);
  const { sessionActions } = parts.registrations;
  const problem =
    name === undefined || !isCallback(handler)
      ? 'session action registration requires id and handler'
      : schema !== undefined && !isRecord(schema)
        ? `session action ${name}: schema must be a JSON Schema object`
        : sessionActions.some((each) => each.id === name)
          ? `session action already registered: ${name}`
          : undefined;
  if (problem !== undefined || name === undefined || !isCallback(handler)) {
    refuseRegistration(parts, problem ?? '');
    return;
  }
  const about = textOf(description);
  sessionActions.push({
    id: name,
    ...(about === undefined ? {} : { description: about }),
    ...(isRecord(schema) ? { schema: copyData(schema) } : {}),
    handler: (context) => parts.call(`the session action ${name}`, () => handler.call(action, context)),
  });
}

/** `api.registerRuntimeLifecycle`: `cleanup` hears every reason; `dispose` only that this version of the plugin ends. */
export function registerRuntimeLifecycle(parts: PluginApiParts, lifecycle: unknown): void {
  const { id, cleanup, dispose } = isRecord(lifecycle) ? lifecycle : {};
  const name = textOf(id);
  if (name === undefined || !(isCallback(cleanup) || isCallback(dispose))) {
    refuseRegistration(parts, 'runtime lifecycle registration requires id and cleanup() or dispose()');
    return;
  }
  if (parts.registrations.lifecycles.some((each) => each.id === name)) {
    refuseRegistration(parts, `runtime lifecycle already registered: ${name}`);
    return;
  }
  parts.registrations.lifecycles.push({
    id: name,
    async cleanup(context) {
      if (isCallback(cleanup)) await calling(cleanup, lifecycle)(context);
      if (isCallback(dispose) && context.sessionKey === undefined) await calling(dispose, lifecycle)(context);
    },
  });
}

/**
 * `api.session.workflow.registerSessionSchedulerJob`: a job that the plugin runs for a session by its own means. Nothing is scheduled by it:
 * `cleanup` hears when the session or the plugin ends, once.
 */
export function registerSessionSchedulerJob(parts: PluginApiParts, job: unknown): object | undefined {
  const { id, sessionKey, kind, cleanup } = isRecord(job) ? job : {};
  const [jobId, key, sort] = [textOf(id), textOf(sessionKey), textOf(kind)];
  const { lifecycles } = parts.registrations;
  if (jobId === undefined || key === undefined || sort === undefined) {
    refuseRegistration(parts, 'session scheduler job registration requires unique id, sessionKey, and kind');
    return undefined;
  }
  if (cleanup !== undefined && !isCallback(cleanup)) {
    refuseRegistration(parts, `session scheduler job cleanup must be a function: ${jobId}`);
    return undefined;
  }
  const name = `session scheduler job ${jobId}`;
  if (lifecycles.some((each) => each.id === name)) {
    refuseRegistration(parts, `session scheduler job already registered: ${jobId}`);
    return undefined;
  }
  const end = async (reason: string): Promise<void> => {
    if (isCallback(cleanup)) await cleanup.call(job, { reason, sessionKey: key, jobId });
    lifecycles.splice(lifecycles.indexOf(registration), 1);
  };
  // One that takes long is not begun again where the session ends once more meanwhile.
  let ending: Promise<void> | undefined;
  const registration: LifecycleRegistration = {
    id: name,
    async cleanup({ reason, sessionKey: ended }) {
      if (ended !== undefined && ended !== key) return;
      ending ??= end(reason).catch((error: unknown) => {
        // What failed is told of, and heard again when the plugin ends.
        ending = undefined;
        throw error;
      });
      await ending;
    },
  };
  lifecycles.push(registration);
  return { id: jobId, pluginId: parts.manifest.id, sessionKey: key, kind: sort };
}

/**
 * `api.enqueueNextTurnInjection`. Rejects where the text can't be queued; nothing is lost silently.
 * @throws PincerError `session_unknown`, `injection_invalid`, `injection_capacity`, `injection_blocked`
 */
export async function enqueueNextTurnInjection(
  { sessionState, entry, manifest: { id } }: PluginApiParts,
  injection: unknown,
): Promise<unknown> {
  const wish = isRecord(injection) ? injection : {};
  if (entry.hooks?.allowPromptInjection === false) {
    throw new PincerError(
      'injection_blocked',
      `next-turn injection of ${id} blocked by plugins.entries.${id}.hooks.allowPromptInjection=false`,
    );
  }
  const sessionKey = textOf(wish['sessionKey']) ?? '';
  // What the fields hold is checked where they are stored.
  return await sessionState.enqueue(sessionKey, id, wish as unknown as NextTurnInjection);
}

/**
 * `api.runtime.system.enqueueSystemEvent`: something that happened outside of the session, for its next turn to read. True where it is
 * queued; what keeps it from that later is a diagnostic, since upstream's callers get an answer at once.
 */
export function enqueueSystemEvent(parts: PluginApiParts, given: unknown, options: unknown): boolean {
  parts.assertLoaded('runtime.system.enqueueSystemEvent');
  const text = textOf(given);
  const { sessionKey, contextKey } = isRecord(options) ? options : {};
  const key = textOf(sessionKey);
  if (text === undefined || key === undefined) return false;
  const event = `${textOf(contextKey) ?? ''}\n${text}`;
  // Upstream leaves out an event that says the same as one that waits.
  const idempotencyKey = `system-event:${createHash('sha256').update(event).digest('hex')}`;
  enqueueNextTurnInjection(parts, { sessionKey: key, text: `System event: ${text}`, idempotencyKey }).catch(
    (error: unknown) => {
      const { registrations, manifest } = parts;
      const message = `a system event was not queued: ${errorMessage(error)}`;
      if (registrations.diagnostics.some((each) => each.message === message)) return;
      registrations.diagnostics.push(
        warnDiagnostic('plugin_system_event_refused', message, { pluginId: manifest.id }),
      );
      parts.registered();
    },
  );
  return true;
}

/** `api.session.state.patchSessionExtension`; upstream reaches the same through its gateway's `sessions.pluginPatch`. */
export async function patchSessionExtension(
  { sessionState, registrations, manifest: { id } }: PluginApiParts,
  patch: unknown,
): Promise<void> {
  const wish = isRecord(patch) ? patch : {};
  const namespace = textOf(wish['namespace']) ?? '';
  if (!registrations.sessionExtensions.some((each) => each.namespace === namespace)) {
    throw new PincerError(
      'session_extension_unknown',
      `unknown plugin session extension: ${id}/${namespace}`,
      {
        hint: 'Register it first with api.registerSessionExtension.',
      },
    );
  }
  await sessionState.patch(textOf(wish['sessionKey']) ?? '', { pluginId: id, namespace }, wish);
}

type Callback = (...args: readonly unknown[]) => unknown;

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

function calling(call: Callback, self: unknown): (context: CleanupContext) => unknown {
  return (context) => call.call(self, context);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
