import { isRecord } from '../base/json.ts';
import type { AgentMessage, UserMessage } from '../contracts/message.ts';

/**
 * The user's words are read once where they were said again after a turn that came to no end, such as one whose server was away. The
 * later message takes the place of the first one: what the turn had done until then stays behind it, an answer that broke off goes.
 * Nothing is lost by it: a message that has something else attached stays where it is, and so does one behind a call that was denied:
 * whoever wishes it again has to be read after the no. Pure.
 */
export function joinRepeated(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const joined: AgentMessage[] = [];
  /** Where the words of a turn stand that has no end so far. */
  let begun: number | undefined;
  for (const message of messages) {
    if (message.role === 'user' && wordsOf(message) !== '') {
      const first = begun === undefined ? undefined : joined[begun];
      if (begun !== undefined && first?.role === 'user' && isRepeated(first, message)) {
        joined[begun] = message;
        if (isBrokenOff(joined.at(-1))) joined.pop();
        continue;
      }
      // What was said while a turn ran changes what the first words mean.
      begun = message.via === undefined ? joined.length : undefined;
    }
    joined.push(message);
    const isAnswer = message.role === 'assistant' && !asks(message) && !isBrokenOff(message);
    if (isAnswer || isDenied(message)) begun = undefined;
  }
  return joined;
}

function isRepeated(first: UserMessage, again: UserMessage): boolean {
  const isIn = (part: UserMessage['content'][number]): boolean =>
    again.content.some((other) =>
      part.type === 'text'
        ? other.type === 'text' && other.text === part.text
        : other.type === 'image' && other.data === part.data,
    );
  return again.via === undefined && wordsOf(first) === wordsOf(again) && first.content.every(isIn);
}

function isDenied(message: AgentMessage): boolean {
  if (message.role !== 'toolResult') return false;
  return isRecord(message.details) && message.details['status'] === 'denied';
}

function asks(message: AgentMessage): boolean {
  return message.role === 'assistant' && message.content.some((part) => part.type === 'toolCall');
}

function isBrokenOff(message: AgentMessage | undefined): boolean {
  if (message?.role !== 'assistant' || asks(message)) return false;
  return message.stopReason === 'aborted' || message.stopReason === 'error';
}

/** Without what was attached or added. */
function wordsOf({ content }: UserMessage): string {
  return content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .trim();
}
