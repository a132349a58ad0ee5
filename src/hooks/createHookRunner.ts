import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import { callHandler, callSyncHandler, withRoomForContext, type HandlerAnswer } from './callHandler.ts';
import { createDeadlines } from './createDeadlines.ts';
import { beginLine, createHandlerCalls, type Merged } from './createHandlerCalls.ts';
import { createInOrder } from './createInOrder.ts';
import type { HookRegistry } from './createHookRegistry.ts';
import { hookCatalog } from './hookCatalog.ts';
import type { HookRunner } from './hookRunner.ts';
import type { HookTrace } from './hookTrace.ts';
import type { MergeRule } from './mergeRule.ts';

export interface HookRunnerParts {
  readonly registry: Pick<HookRegistry, 'handlers'>;
  readonly clock: Clock;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called after each handler; absent, nothing is compared. */
  readonly trace?: (record: HookTrace) => void;
}

const nobodyListens = Promise.resolve();

/**
 * The hook runner over a registry. The list of handlers is taken when a hook fires: a plugin that comes or goes meanwhile
 * counts from the next time on.
 */
export function createHookRunner({ registry, clock, report, trace }: HookRunnerParts): HookRunner {
  const calls = createHandlerCalls(report, trace);
  const deadlines = createDeadlines(clock);
  const inOrder = createInOrder(clock, deadlines);

  return {
    has: (name) => registry.handlers(name).length > 0,

    observe(name, event, context, signal) {
      const handlers = registry.handlers(name);
      if (handlers.length === 0) return nobodyListens;
      const startedAt = clock.monotonic();
      const view = withRoomForContext(event);
      const limits = { deadlines, signal };
      return new Promise((resolve) => {
        let open = handlers.length;
        for (const handler of handlers) {
          const line = beginLine(handler, context, startedAt);
          const ended = (answer: HandlerAnswer): void => {
            line.durationMs = clock.monotonic() - startedAt;
            calls.observed({ handler, answer, line });
            open -= 1;
            if (open === 0) resolve();
          };
          const answer = callHandler(handler, view, context, limits, startedAt, ended);
          if (answer !== undefined) ended(answer);
        }
      });
    },

    async modify(name, event, context, signal, contributed) {
      const { rule } = hookCatalog[name];
      const handlers = registry.handlers(name);
      if (handlers.length === 0) return rule.initial(event);
      let merged = beginMerge(rule, event);
      try {
        await inOrder(handlers, { view: () => merged.view, context, signal }, (call) => {
          const before = merged.outcome;
          merged = calls.merged(call, rule, merged);
          if (merged.outcome !== before) contributed?.(call.handler.pluginId, before, merged.outcome);
          return rule.isFinal?.(merged.outcome) === true;
        });
      } catch (error) {
        rule.cutOff?.(merged.outcome);
        throw error;
      }
      return merged.outcome;
    },

    async claim(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      const view = withRoomForContext(event);
      let claimed: ReturnType<typeof rule.read>;
      await inOrder(registry.handlers(name), { view: () => view, context, signal }, (call) => {
        claimed = calls.claimed(call, rule);
        return claimed !== undefined;
      });
      return claimed;
    },

    async gate(name, event, context, signal) {
      const { rule } = hookCatalog[name];
      const view = withRoomForContext(event);
      let verdict: ReturnType<typeof rule.read>;
      await inOrder(registry.handlers(name), { view: () => view, context, signal }, (call) => {
        verdict = calls.judged(call, rule);
        return verdict !== undefined;
      });
      return verdict ?? rule.pass;
    },

    sync(name, event, context) {
      const { rule } = hookCatalog[name];
      const handlers = registry.handlers(name);
      if (handlers.length === 0) return rule.initial(event);
      let merged = beginMerge(rule, event);
      for (const handler of handlers) {
        const startedAt = clock.monotonic();
        const answer = callSyncHandler(handler, merged.view, context);
        const line = beginLine(handler, context, startedAt);
        line.durationMs = clock.monotonic() - startedAt;
        merged = calls.merged({ handler, answer, line }, rule, merged);
        if (rule.isFinal?.(merged.outcome) === true) break;
      }
      return merged.outcome;
    },
  };
}

/** The state before the first handler. */
function beginMerge<Event extends object, Outcome>(
  rule: MergeRule<Event, Outcome>,
  event: Event,
): Merged<Event, Outcome> {
  const roomy = withRoomForContext(event);
  const outcome = rule.initial(event);
  return { event: roomy, outcome, view: rule.view(roomy, outcome) };
}
