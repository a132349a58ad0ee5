import { stableStringify } from '../../base/json.ts';
import type { ToolCallPart, ToolResultMessage } from '../../contracts/message.ts';

/** What to do with a call: `explain` does not run it and tells the model why, `stop` ends the turn. */
export type RepeatVerdict = 'run' | 'explain' | 'stop';

/** A call that was made, and what came of it; equal texts are equal calls and results. */
export interface PastCall {
  readonly call: string;
  readonly result: string;
}

/** Finds a model that goes in circles: the same call with the same result, or the same few calls in turn. */
export interface RepeatGuard {
  judge(call: ToolCallPart): RepeatVerdict;
  /** A call was carried out. */
  note(call: ToolCallPart, result: ToolResultMessage): void;
}

/** A call that comes for this time in a row, unchanged and with unchanged results, is a repetition. */
const maxTimes = 3;
/** Calls of the longest circle that is looked for: one call again and again, two in turn, three in turn. */
const maxPeriod = 3;

/** One for each turn. The first repetition of a circle is explained to the model, the next one stops the turn. */
export function createRepeatGuard(): RepeatGuard {
  const past: PastCall[] = [];
  const explained = new Set<string>();
  const add = (each: PastCall): void => {
    past.push(each);
    if (past.length > maxPeriod * (maxTimes - 1)) past.shift();
  };
  return {
    judge(call) {
      const circle = findCircle(past, callText(call));
      if (circle === undefined) return 'run';
      const name = circle
        .map((each) => each.call)
        .sort()
        .join('\n');
      if (explained.has(name)) return 'stop';
      explained.add(name);
      // It counts as if it had been carried out with the same result, so that the circle is still seen at its next call.
      const [same] = circle;
      if (same !== undefined) add(same);
      return 'explain';
    },
    note: (call, result) => add({ call: callText(call), result: resultText(result) }),
  };
}

/**
 * The circle that `next` would go round once more, beginning with what `next` repeats; undefined where there is none. A call
 * whose result has changed, such as that of a command that is being watched, is no repetition. Pure.
 */
export function findCircle(past: readonly PastCall[], next: string): readonly PastCall[] | undefined {
  for (let period = 1; period <= maxPeriod; period += 1) {
    const times = maxTimes - 1;
    const tail = past.slice(-period * times);
    if (tail.length < period * times || tail[0]?.call !== next) continue;
    const circle = tail.slice(0, period);
    const isRound = tail.every((each, index) => isSame(each, circle[index % period]));
    if (isRound) return circle;
  }
  return undefined;
}

function isSame(one: PastCall, other: PastCall | undefined): boolean {
  return one.call === other?.call && one.result === other.result;
}

function callText({ name, arguments: params }: ToolCallPart): string {
  return stableStringify([name, params]);
}

/** Only what the model reads: times and other details differ with every call. */
function resultText({ content, isError }: ToolResultMessage): string {
  return stableStringify([isError, content]);
}
