import type { MergeRule } from '../hookTypes.ts';
import type {
  InternalEvent,
  InternalOutcome,
  ToolResultMiddlewareEvent,
  ToolResultMiddlewareOutcome,
} from '../payloads/internalHooks.ts';
import type { HandledPayload, PointResult } from '../payloads/pointHooks.ts';

/** The payload goes on with the fields that a handler replaced; the first block ends it. What a failure means, registrations say. */
export function pointRule<Payload extends object>(): MergeRule<Payload, HandledPayload<Payload>> {
  return {
    initial: (payload) => ({ payload }),
    fold({ payload }, result, { pluginId }) {
      const { modify, block } = result as PointResult;
      return {
        payload: modify === undefined ? payload : { ...payload, ...modify },
        ...(block === undefined ? {} : { block: { pluginId, ...block } }),
      };
    },
    view: (_event, { payload }) => payload,
    isFinal: ({ block }) => block !== undefined,
    decision: (_before, { block }) => (block === undefined ? undefined : { kind: 'blocked' }),
  };
}

/** `internal_event`: each handler gets the event as the ones before it left it. */
export const internalEventRule: MergeRule<InternalEvent, InternalOutcome> = {
  initial: ({ messages, context }) => ({ messages, context }),
  fold: (outcome, result) => ({ ...outcome, ...(result as Partial<InternalOutcome>) }),
  view: (event, outcome) => ({ ...event, ...outcome }),
};

/** `tool_result_middleware`: each gets the result that the one before it left; a failure ends it, and the result is withheld. */
export const resultMiddlewareRule: MergeRule<ToolResultMiddlewareEvent, ToolResultMiddlewareOutcome> = {
  initial: ({ result }) => ({ result }),
  fold: (outcome, said) => ({ ...outcome, ...(said as Partial<ToolResultMiddlewareOutcome>) }),
  view: (event, { result }) => ({ ...event, result }),
  isFinal: ({ failedIn }) => failedIn !== undefined,
  failClosed: (outcome, pluginId) => ({ ...outcome, failedIn: pluginId }),
};
