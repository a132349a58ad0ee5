import type { MergeRule } from '../hookTypes.ts';
import type { Passed, PointResult } from '../payloads/pointHooks.ts';

/** The payload goes on with the fields that a handler replaced; the first block ends it. What a failure means, registrations say. */
export function pointRule<Payload extends object>(): MergeRule<Payload, Passed<Payload>> {
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
