// Threat: a plugin from a workspace reads every conversation, or writes into the prompt, without the user knowing. Both need
// the user's own word in the configuration; what is stopped is named with the setting that would allow it.
import { isRecord } from '../base/json.ts';
import { isThenable, ownPromise } from '../base/untrusted.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookName } from './hookMap.ts';
import type { AnyHookHandler, HookRegistration } from './hookRegistration.ts';

interface HookPermissions {
  readonly bundled: boolean;
  readonly allowConversationAccess: boolean;
  readonly allowPromptInjection: boolean;
}

type HookAccessDecision =
  | { readonly kind: 'allowed' }
  /** The handler may run, but what it adds to the prompt is taken out of its results. */
  | { readonly kind: 'stripped'; readonly setting: string; readonly message: string }
  | { readonly kind: 'blocked'; readonly setting: string; readonly message: string };

/** Whether a plugin may listen to a hook. Messages are upstream's. */
export function decideHookAccess(hook: HookName, pluginId: string, may: HookPermissions): HookAccessDecision {
  const settings = `plugins.entries.${pluginId}.hooks`;
  if (hookCatalog[hook].access === 'conversation' && !may.bundled && !may.allowConversationAccess) {
    const setting = `${settings}.allowConversationAccess=true`;
    const message = `typed hook "${hook}" blocked because non-bundled plugins must set ${setting}`;
    return { kind: 'blocked', setting, message };
  }
  if (may.allowPromptInjection) return { kind: 'allowed' };
  const setting = `${settings}.allowPromptInjection=false`;
  if (hookCatalog[hook].access === 'promptInjection') {
    return { kind: 'blocked', setting, message: `typed hook "${hook}" blocked by ${setting}` };
  }
  if (hook === 'before_agent_start') {
    return {
      kind: 'stripped',
      setting,
      message: `prompt changes of typed hook "${hook}" are removed by ${setting}`,
    };
  }
  return { kind: 'allowed' };
}

const promptFields = [
  'systemPrompt',
  'prependContext',
  'appendContext',
  'prependSystemContext',
  'appendSystemContext',
];

/** The same handler without the prompt changes in its results. */
export function stripPromptChanges(handler: AnyHookHandler): AnyHookHandler {
  return (event, context) => {
    const result = handler(event, context);
    return isThenable(result) ? ownPromise(result).then(withoutPromptFields) : withoutPromptFields(result);
  };
}

function withoutPromptFields(result: unknown): unknown {
  if (!isRecord(result)) return result;
  return Object.fromEntries(Object.entries(result).filter(([field]) => !promptFields.includes(field)));
}

// Threat: who may write the config, the agent perhaps, switches a guard off for the very call that it would stop. So of a plugin that may
// not run any more, what refuses or asks still counts; its other hooks are not called.

/** The handler as one that refuses and changes nothing; none where its hook refuses nothing. */
function refusingOnly(handler: HookRegistration): readonly HookRegistration[] {
  const counts: readonly string[] | undefined = hookCatalog[handler.hook].refusals;
  if (counts === undefined) return [];
  // Fields that it inherits, as the accessors of a class, are those of a refusal, too.
  const only = (value: unknown): unknown =>
    isRecord(value)
      ? Object.fromEntries(counts.filter((field) => field in value).map((field) => [field, value[field]]))
      : value;
  const { handler: call } = handler;
  return [
    {
      ...handler,
      handler: (...args) => {
        const said = call(...args);
        return isThenable(said) ? ownPromise(said).then(only) : only(said);
      },
    },
  ];
}

/** Handlers as they count where some plugins may not run any more. */
export function createRefusalsOnly() {
  /** One for each handler: what is odd about it is reported once. */
  const known = new WeakMap<HookRegistration, readonly HookRegistration[]>();
  const reduced = (handler: HookRegistration): readonly HookRegistration[] => {
    const made = known.get(handler) ?? refusingOnly(handler);
    known.set(handler, made);
    return made;
  };
  return (
    handlers: readonly HookRegistration[],
    forbidden: ReadonlySet<string>,
  ): readonly HookRegistration[] =>
    handlers.flatMap((each) =>
      forbidden.has(each.pluginId) && each.isForeign !== true ? reduced(each) : [each],
    );
}
