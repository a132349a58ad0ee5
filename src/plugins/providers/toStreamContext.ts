import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelRequest } from '../../contracts/model.ts';

/**
 * What a plugin's stream function gets as the conversation: upstream's shape, which ours is but for a few fields. `details`
 * of results stay here.
 */
export function toStreamContext({ systemPrompt, messages, tools }: ModelRequest): object {
  return {
    systemPrompt,
    messages: toStreamMessages(messages),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  };
}

/** The messages alone, in upstream's shape. */
export function toStreamMessages(messages: readonly AgentMessage[]): object[] {
  return messages.map(toStreamMessage);
}

function toStreamMessage(message: AgentMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content, timestamp: message.timestamp };
    case 'assistant':
      return { ...message, api: 'unknown', usage: toStreamUsage(message.usage) };
    case 'toolResult': {
      const { details: _details, ...rest } = message;
      return rest;
    }
  }
}

/** Upstream's functions read these without asking whether they are there. */
export function toStreamUsage(usage: Extract<AgentMessage, { role: 'assistant' }>['usage']): object {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input: fresh, output, cacheRead, cacheWrite, totalTokens: input + output, cost };
}
