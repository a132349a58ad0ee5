import type { AgentMessage, AssistantMessage } from '../../src/contracts/message.ts';

/** Parts of a conversation with the model of openLibraryModel.ts. */
export const seal = 'sealed-by-the-server';
export const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1,
});
export const answer = (...content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  content,
  provider: 'local',
  model: 'scripted',
  stopReason: 'toolUse',
  timestamp: 2,
});
export const result = (
  id: string,
  content: Extract<AgentMessage, { role: 'toolResult' }>['content'],
): AgentMessage => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'look',
  content,
  details: { secret: 'for people' },
  isError: false,
  timestamp: 3,
});
export const image = { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' };
export const look = {
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string', pattern: '^a' } }, $comment: 'kept' },
};
