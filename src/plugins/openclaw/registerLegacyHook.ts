import { isRecord } from '../../base/json.ts';
import { findHook } from '../../hooks/findHook.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';
import { registerHook } from './registerHooks.ts';

/** Internal events are `type:action`, or a type alone for all of its actions. */
const internalEvent = /^(?:command|session|agent|gateway|message)(?::.+)?$/u;

/**
 * `api.registerHook(events, handler, { name })`: listens to internal events. Older plugins name typed hooks
 * here, which upstream never fires; here they do.
 */
export function registerLegacyHook(
  parts: PluginApiParts,
  events: unknown,
  handler: unknown,
  options: unknown,
): void {
  const named = (Array.isArray(events) ? (events as unknown[]) : [events]).flatMap((event) =>
    typeof event === 'string' && event.trim() !== '' ? [event.trim()] : [],
  );
  if (named.length === 0) {
    refuseRegistration(parts, 'hook registration missing event', 'plugin_hook_unnamed');
    return;
  }
  const isInternal = (event: string): boolean => internalEvent.test(event) && !('hook' in findHook(event));
  for (const event of named.filter((each) => !isInternal(each))) registerHook(parts, event, handler, options);
  const internal = named.filter(isInternal);
  if (internal.length > 0) registerInternal(parts, internal, handler, isRecord(options) ? options : {});
}

function registerInternal(
  { registrations, manifest, candidate, ...parts }: PluginApiParts,
  events: readonly string[],
  handler: unknown,
  options: Readonly<Record<string, unknown>>,
): void {
  const given = nameOf(options);
  const name = given ?? `${manifest.id}:${events.join('+')}`;
  if (typeof handler !== 'function') {
    refuseRegistration(
      { ...parts, registrations, manifest, candidate },
      `hook "${name}" has no handler function`,
    );
    return;
  }
  if (registrations.internalHooks.some((each) => each.name === name)) {
    const message = `hook already registered: ${name} (${manifest.id})`;
    refuseRegistration({ ...parts, registrations, manifest, candidate }, message);
    return;
  }
  if (given === undefined) {
    const subject = {
      pluginId: manifest.id,
      source: candidate.source,
      hint: 'Pass { name } as the third argument.',
    };
    registrations.diagnostics.push(
      warnDiagnostic(
        'plugin_hook_unnamed',
        `hook registration missing name; it is listed as "${name}"`,
        subject,
      ),
    );
  }
  if (options['register'] === false) return;
  registrations.internalHooks.push({
    name,
    events,
    handler: (event) => Reflect.apply(handler, undefined, [event]) as unknown,
  });
}

/** Upstream also takes the name from the hook entry that a folder with HOOK.md brings. */
function nameOf({ name, entry }: Readonly<Record<string, unknown>>): string | undefined {
  const hook = isRecord(entry) && isRecord(entry['hook']) ? entry['hook'] : {};
  return [name, hook['name']].flatMap((each) =>
    typeof each === 'string' && each.trim() !== '' ? [each.trim()] : [],
  )[0];
}
