import { maxPriority } from '../../base/formatNumbers.ts';
import { decideHookAccess, stripPromptChanges } from '../../hooks/decideHookAccess.ts';
import type { AnyHookHandler } from '../../hooks/hookRegistration.ts';
import { findHook } from '../../hooks/findHook.ts';
import type { HookName } from '../../hooks/hookMap.ts';
import { isHookTimeout, maxHookTimeoutMs, resolveHookTimeout } from '../../hooks/resolveHookTimeout.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { errorDiagnostic, infoDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { ListenerRegistration } from '../register/registrations.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { cronOf } from './scheduleSessionTurns.ts';

/** `api.on`: checks what a plugin wants to listen to, and says what becomes of it. */
export function registerHook(parts: PluginApiParts, name: unknown, handler: unknown, options: unknown): void {
  const { registrations, manifest } = parts;
  const subject = { pluginId: manifest.id, source: parts.candidate.source };
  if (typeof name !== 'string' || name === '') {
    registrations.diagnostics.push(
      errorDiagnostic('plugin_hook_unnamed', 'hook registration missing name', subject),
    );
    return;
  }
  const found = findHook(name);
  if (!('hook' in found)) {
    const hint = found.nearest === undefined ? {} : { hint: `Did you mean "${found.nearest}"?` };
    registrations.diagnostics.push(
      warnDiagnostic('plugin_hook_unknown', `unknown typed hook "${name}" ignored`, { ...subject, ...hint }),
    );
    return;
  }
  if (typeof handler !== 'function') {
    registrations.diagnostics.push(
      errorDiagnostic('plugin_hook_no_handler', `typed hook "${name}" has no handler function`, subject),
    );
    return;
  }
  const own = handler as AnyHookHandler;
  const before = registrations.hooks.filter(({ hook }) => hook === found.hook).length;
  const what = before === 0 ? found.hook : `${found.hook} (handler ${String(before + 1)})`;
  const marked: AnyHookHandler = (event, context) => parts.call(what, () => own(event, context));
  const gated = gate(parts, found.hook, marked);
  if (gated === undefined) return;
  registrations.hooks.push(toRegistration(parts, found.hook, gated, isRecord(options) ? options : {}));
}

/** The handler as it may run, or undefined where it may not. */
function gate(parts: PluginApiParts, hook: HookName, handler: AnyHookHandler): AnyHookHandler | undefined {
  const { id } = parts.manifest;
  const decision = decideHookAccess(hook, id, {
    bundled: parts.candidate.origin === 'bundled',
    allowConversationAccess: parts.entry.hooks?.allowConversationAccess === true,
    allowPromptInjection: parts.entry.hooks?.allowPromptInjection !== false,
  });
  if (decision.kind === 'allowed') return handler;
  const code = decision.kind === 'blocked' ? 'plugin_hook_blocked' : 'plugin_hook_stripped';
  const kind = decision.setting.includes('allowConversationAccess')
    ? 'allow-conversation-access'
    : 'allow-prompt-injection';
  parts.registrations.diagnostics.push({
    ...warnDiagnostic(code, decision.message, { pluginId: id, hint: hintOf(kind) }),
    fixes: [{ kind, pluginId: id }],
  });
  return decision.kind === 'blocked' ? undefined : stripPromptChanges(handler);
}

function hintOf(kind: 'allow-conversation-access' | 'allow-prompt-injection'): string {
  return kind === 'allow-conversation-access'
    ? 'Allow it where you trust the plugin with what is said.'
    : 'Take the setting out where the plugin may add to prompts.';
}

/** What `api.on` takes beside the handler, and where it means something (OpenClaw documentation, Hook reference, Registration and execution). */
const knownOptions: Readonly<Record<string, ReadonlySet<HookName> | 'every hook'>> = {
  priority: 'every hook',
  timeoutMs: 'every hook',
  registrationId: 'every hook',
  matcher: new Set(['before_tool_call', 'after_tool_call']),
  eligibleTriggers: new Set(['before_agent_reply']),
};

/** An option that changes nothing here is said: the plugin may count on it. */
function warnOfOptions(
  parts: PluginApiParts,
  hook: HookName,
  options: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    const where = Object.hasOwn(knownOptions, name) ? knownOptions[name] : undefined;
    if (value === undefined || where === 'every hook' || where?.has(hook) === true) continue;
    const shown = inertLine(name, 60);
    const message = `option "${shown}" of typed hook "${hook}" has no effect here: the handler is called as if it were not there`;
    parts.registrations.diagnostics.push(
      warnDiagnostic('plugin_hook_option_unused', message, { pluginId: parts.manifest.id }),
    );
  }
}

/**
 * The firings that a handler wants: those of some tools (`matcher`), or of turns that something began (`eligibleTriggers`). Threat: a
 * guard whose list can't be read must not fall silent, so it hears of everything, and the user is told.
 */
function scopeOf(
  parts: PluginApiParts,
  hook: HookName,
  options: Readonly<Record<string, unknown>>,
): Pick<ListenerRegistration, 'matches' | 'only'> {
  const [option, keyOf] = toolHooks.has(hook)
    ? (['matcher', ({ toolName }: Firing) => toolName] as const)
    : (['eligibleTriggers', (_event: Firing, { trigger }: Firing) => trigger] as const);
  const list = hook === 'before_agent_reply' || toolHooks.has(hook) ? options[option] : undefined;
  if (list === undefined) return {};
  if (!isNameList(list)) {
    const message = `${option} of typed hook "${hook}" is no list of exact names; the handler is called for all`;
    parts.registrations.diagnostics.push(
      warnDiagnostic('plugin_hook_option_invalid', message, {
        pluginId: parts.manifest.id,
        hint: `Write ${option}: ['${option === 'matcher' ? 'exec' : 'user'}'], or leave it out.`,
      }),
    );
    return {};
  }
  const only = [...new Set(list)];
  const wanted: ReadonlySet<string | undefined> = new Set(only);
  return { only, matches: (event: Firing, context: Firing) => wanted.has(keyOf(event, context)) };
}

/** What of an event and its context a scope goes by. */
interface Firing {
  readonly toolName?: string;
  readonly trigger?: string;
}

/** Upstream takes no wildcards, so that what a guard covers can be read off. */
export function isNameList(value: unknown): value is readonly string[] {
  const isName = (each: unknown): boolean => typeof each === 'string' && /^[^\s*?]+$/u.test(each);
  return Array.isArray(value) && value.length > 0 && value.every(isName);
}

function toRegistration(
  parts: PluginApiParts,
  hook: HookName,
  handler: AnyHookHandler,
  options: Readonly<Record<string, unknown>>,
): ListenerRegistration {
  const { id } = parts.manifest;
  const { timeoutMs: option } = options;
  if (option !== undefined && !isHookTimeout(option)) {
    const message = `timeoutMs of typed hook "${hook}" is no whole number from 1 to ${String(maxHookTimeoutMs)}; it is ignored`;
    parts.registrations.diagnostics.push(
      warnDiagnostic('plugin_hook_timeout_invalid', message, { pluginId: id }),
    );
  }
  warnOfOptions(parts, hook, options);
  const { timeouts, timeoutMs } = parts.entry.hooks ?? {};
  return {
    hook,
    pluginId: id,
    ...scopeOf(parts, hook, options),
    handler: withOwnContext(parts, hook, handler),
    priority: priorityOf(parts, hook, options['priority']),
    timeoutMs: resolveHookTimeout(hook, {
      option,
      ...(timeouts === undefined ? {} : { perHook: timeouts }),
      ...(timeoutMs === undefined ? {} : { perPlugin: timeoutMs }),
    }),
    pluginConfig: parts.pluginConfig,
  };
}

/** Guards of the program run at the very ends of the order; others stay within `maxPriority`, so that none comes after a guard. */
function priorityOf(
  { candidate, manifest, registrations }: PluginApiParts,
  hook: HookName,
  wanted: unknown,
): number {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return 0;
  const priority = Math.max(-maxPriority, Math.min(maxPriority, wanted));
  if (candidate.origin === 'bundled' || priority === wanted) return wanted;
  const message = `priority ${String(wanted)} of typed hook "${hook}" is cut to ${String(priority)}; only bundled plugins come before or after that`;
  registrations.diagnostics.push(
    infoDiagnostic('plugin_hook_priority_cut', message, { pluginId: manifest.id }),
  );
  return priority;
}

const toolHooks: ReadonlySet<HookName> = new Set(['before_tool_call', 'after_tool_call']);

type AddedContext = (
  parts: PluginApiParts,
  context: { readonly sessionKey?: string },
) => Readonly<Record<string, unknown>>;

/** Tool hooks can read their plugin's own session state (OpenClaw hooks, Session extensions and next-turn injections). */
const sessionState: AddedContext = ({ sessionState: state, manifest }, { sessionKey = '' }) => ({
  getSessionExtension: (namespace: unknown) => state.read(sessionKey, manifest.id, String(namespace)),
});
/** The config as the plugin sees it, and the schedule as far as it may reach it. */
const gatewayNow: AddedContext = (parts) => {
  return { config: parts.currentConfig(), ...cronOf(parts) };
};

/** What the context of a hook has that is another one for each plugin. */
const addedContexts: Readonly<Partial<Record<HookName, AddedContext>>> = {
  before_tool_call: sessionState,
  after_tool_call: sessionState,
  gateway_start: gatewayNow,
  gateway_stop: gatewayNow,
  cron_changed: gatewayNow,
  cron_reconciled: gatewayNow,
};

function withOwnContext(parts: PluginApiParts, hook: HookName, handler: AnyHookHandler): AnyHookHandler {
  const added = addedContexts[hook];
  if (added === undefined) return handler;
  return (event, context: object) => {
    const own: object = Object.assign(context, added(parts, context));
    // In place of the signal of the call: what a plugin mirrors is stale once the schedule has changed again.
    if (hook === 'cron_reconciled' && parts.schedule !== undefined)
      Object.defineProperty(own, 'abortSignal', { value: parts.schedule.snapshot() });
    return handler(event, own as never);
  };
}
