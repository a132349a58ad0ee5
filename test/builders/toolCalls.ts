import type { Params } from '../../src/contracts/jsonTypes.ts';
import type { ToolCallPart, ToolResultMessage } from '../../src/contracts/message.ts';

/** A call with an id of its own. */
export function callOf(name: string, params: Params = {}): ToolCallPart {
  return { type: 'toolCall', id: crypto.randomUUID(), name, arguments: params };
}

/** What a tool gave; its details differ each time, as times do. */
export function resultOf(text: string): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: 'x',
    toolName: 'read',
    content: [{ type: 'text', text }],
    details: { took: Math.random() },
    isError: false,
    timestamp: 0,
  };
}
