import type { MergeRule } from '../hookTypes.ts';
import type { InternalEvent, InternalOutcome } from '../payloads/internalHooks.ts';

/** `internal_event`: each handler gets the event as the ones before it left it. */
export const internalEventRule: MergeRule<InternalEvent, InternalOutcome> = {
  initial: ({ messages, context }) => ({ messages, context }),
  fold: (outcome, result) => ({ ...outcome, ...(result as Partial<InternalOutcome>) }),
  view: (event, outcome) => ({ ...event, ...outcome }),
};
