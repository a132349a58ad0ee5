import type {
  AgentMessage,
  ImagePart,
  TextPart,
  ToolCallPart,
  ToolResultMessage,
} from '../contracts/message.ts';

/**
 * Model protocols refuse a tool call without a result and a result without its call. A turn that was cut off leaves such
 * calls behind; each gets an error result that says so. A plugin that keeps a call out of the transcript leaves its result
 * behind; it becomes text. Ids count within one answer only, since some servers number their calls anew each time. Pure.
 */
export function closeOpenCalls(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const closed: AgentMessage[] = [];
  const open = new Map<string, AgentMessage>();
  let strays: AgentMessage[] = [];
  const close = (): void => {
    // Nothing may stand between a call and its results.
    closed.push(...open.values(), ...strays);
    open.clear();
    strays = [];
  };
  for (const message of messages) {
    if (message.role === 'toolResult') {
      if (open.delete(message.toolCallId)) closed.push(message);
      else strays.push(asText(message));
      continue;
    }
    close();
    closed.push(message);
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type === 'toolCall') open.set(part.id, interrupted(part, message.timestamp));
    }
  }
  close();
  return closed;
}

function interrupted({ id, name }: ToolCallPart, timestamp: number): AgentMessage {
  const text = 'This call was interrupted and has no result. It may or may not have taken effect.';
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text }],
    isError: true,
    timestamp,
  };
}

function asText({ toolName, content, timestamp }: ToolResultMessage): AgentMessage {
  const text = `Result of the tool ${toolName}, whose call is not in the transcript:`;
  return {
    role: 'user',
    content: [{ type: 'text', text, isContext: true }, ...content.map(asContext)],
    timestamp,
  };
}

/** What a tool returned are not the user's own words. */
function asContext(part: TextPart | ImagePart): TextPart | ImagePart {
  return part.type === 'text' ? { ...part, isContext: true } : part;
}
