import type { AgentMessage } from '../contracts/message.ts';

/**
 * Whether a person counts it as a message: what the user said, and each answer. Results of tools are none, and neither is what a
 * model said between two calls. Pure.
 */
export function isSaid(message: Pick<AgentMessage, 'role'> & { readonly stopReason?: unknown }): boolean {
  return message.role === 'user' || (message.role === 'assistant' && message.stopReason !== 'toolUse');
}
