import { createHandlerCalls, type HandlerCallParts } from './createHandlerCalls.ts';
import type { HookRegistry } from './createHookRegistry.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookRunner } from './hookRunner.ts';

export interface HookRunnerParts extends HandlerCallParts {
  readonly registry: Pick<HookRegistry, 'handlers'>;
}

const nobodyListens = Promise.resolve();

/**
 * The hook runner over a registry. The list of handlers is taken when a hook fires: a plugin that comes or goes meanwhile
 * counts from the next time on.
 */
export function createHookRunner({ registry, ...parts }: HookRunnerParts): HookRunner {
  const calls = createHandlerCalls(parts);

  return {
    has: (name) => registry.handlers(name).length > 0,

    observe(name, event, context, signal) {
      const handlers = registry.handlers(name);
      if (handlers.length === 0) return nobodyListens;
      const all = handlers.map((handler) => calls.observe(handler, event, context, signal));
      return Promise.all(all).then(() => undefined);
    },

    async modify(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      let outcome = rule.initial(event);
      for (const handler of registry.handlers(name)) {
        outcome = await calls.modify(handler, rule, { event, outcome }, context, signal);
        if (rule.isFinal?.(outcome) === true) break;
      }
      return outcome;
    },

    async claim(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      for (const handler of registry.handlers(name)) {
        const claimed = await calls.claim(handler, rule, event, context, signal);
        if (claimed !== undefined) return claimed;
      }
      return undefined;
    },

    async gate(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      for (const handler of registry.handlers(name)) {
        const blocked = await calls.gate(handler, rule, event, context, signal);
        if (blocked !== undefined) return blocked;
      }
      return rule.pass;
    },

    sync(name, event, context) {
      const { rule } = hookCatalog[name];
      let outcome = rule.initial(event);
      for (const handler of registry.handlers(name)) {
        outcome = calls.sync(handler, rule, { event, outcome }, context);
        if (rule.isFinal?.(outcome) === true) break;
      }
      return outcome;
    },
  };
}
