import type { AgentMessage } from '../../contracts/message.ts';
import { estimateTokens } from './estimateTokens.ts';

/** What most servers make of a picture of usual size; none says it in advance. */
const imageTokens = 1_200;
/** Role and separators around a message. */
const messageOverhead = 4;
/** Names and separators around a call. */
const callOverhead = 8;

/** Tokens of one message as a model reads it, estimated. `details` go to no model and count nothing. Pure. */
export function estimateMessage(message: AgentMessage): number {
  let tokens = messageOverhead + (message.role === 'toolResult' ? callOverhead : 0);
  for (const part of message.content) tokens += estimatePart(part);
  return tokens;
}

/** Tokens of a conversation; `sizeOf` may know the sizes of messages already. Pure. */
export function estimateMessages(
  messages: readonly AgentMessage[],
  sizeOf: (message: AgentMessage) => number = estimateMessage,
): number {
  let tokens = 0;
  for (const message of messages) tokens += sizeOf(message);
  return tokens;
}

function estimatePart(part: AgentMessage['content'][number]): number {
  switch (part.type) {
    case 'text':
      return estimateTokens(part.text);
    case 'image':
      return imageTokens;
    case 'thinking':
      return estimateTokens(part.thinking);
    case 'toolCall':
      return callOverhead + estimateTokens(part.name) + estimateTokens(JSON.stringify(part.arguments));
  }
}
