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
