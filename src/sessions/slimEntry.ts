import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';

/**
 * A line without the weight of what no model reads any more, since a compaction stands for it: what was said stays; attachments,
 * thoughts and what tools were given and returned go. A day of work then takes no more memory than its last hour. The file keeps
 * all of it, and whoever forks or exports reads the file. Pure.
 */
export function slimEntry(entry: SessionEntry): SessionEntry {
  return entry.type === 'message' ? { ...entry, message: slim(entry.message) } : entry;
}

function slim(message: AgentMessage): AgentMessage {
  switch (message.role) {
    case 'user': {
      const content = message.content.filter((part) => part.type === 'text' && part.isContext !== true);
      return { ...message, content };
    }
    case 'assistant':
      return { ...message, content: message.content.flatMap(slimPart) };
    case 'toolResult': {
      const { details: _details, ...rest } = message;
      return { ...rest, content: [] };
    }
  }
}

function slimPart(part: AssistantMessage['content'][number]): AssistantMessage['content'] {
  if (part.type === 'thinking') return [];
  return part.type === 'text' ? [part] : [{ type: part.type, id: part.id, name: part.name, arguments: {} }];
}
