import { inertLine } from '../base/text.ts';
import type { ToolCallPart } from '../contracts/message.ts';
import type { SkippedCall } from '../tools/createToolPipeline.ts';
import type { SkipReason } from './runLoop.ts';

const newWords = 'The user said something new, so this call was not carried out. Read it before you go on.';
const limit = 'The turn was stopped at a limit before this call: it was not carried out.';

/** A call that was not carried out; the model reads the text, plugins the details. Pure. */
export function skippedCall(reason: SkipReason): SkippedCall {
  const isSaid = reason === 'steered' || reason === 'yielded';
  return {
    because: isSaid ? 'the user said something new' : 'the turn reached a limit',
    result: {
      content: [{ type: 'text', text: isSaid ? newWords : limit }],
      details: { status: 'skipped', reason },
      isError: true,
    },
  };
}

/** A call whose arguments can't be read: the model can write it again. Pure. */
export function unreadableCall({ name, problem }: ToolCallPart): SkippedCall {
  const reason = `The arguments of this call of ${name} can't be read, so it was not carried out: ${problem ?? ''}`;
  return {
    because: 'its arguments can not be read',
    result: {
      content: [
        { type: 'text', text: inertLine(reason, 500) },
        { type: 'text', text: 'Write the whole call again, with arguments that are valid JSON.' },
      ],
      details: { status: 'blocked', deniedReason: 'malformed-arguments', reason },
      isError: true,
    },
  };
}

/** A call that repeats itself; field names are upstream's. Pure. */
export function repeatedCall({ name }: ToolCallPart): SkippedCall {
  const reason = `You have called ${name} like this before, again and again with the same result, so it was not carried out.`;
  const hint =
    'Do something else: use what you know already, change the parameters, or ask the user. If you repeat it, the turn is stopped.';
  return {
    because: 'it repeats itself',
    result: {
      content: [
        { type: 'text', text: reason },
        { type: 'text', text: hint },
      ],
      details: { status: 'blocked', deniedReason: 'tool-loop', reason },
      isError: true,
    },
  };
}
