import type { AgentMessage } from '../../contracts/message.ts';
import { estimateMessage } from './estimateMessages.ts';

/** Estimates each message once: messages never change, and a conversation is read again for every request. */
export function createMessageSizes(): (message: AgentMessage) => number {
  const sizes = new WeakMap<AgentMessage, number>();
  return (message) => {
    const known = sizes.get(message);
    if (known !== undefined) return known;
    const size = estimateMessage(message);
    sizes.set(message, size);
    return size;
  };
}
