import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { AgentMessage, ImagePart, TextPart, ToolCallPart } from '../../contracts/message.ts';
import { vendor } from './modelIds.ts';

type EditorMessages = readonly vscode.LanguageModelChatRequestMessage[];

/**
 * What another extension (or VS Code's own chat) says to one of our models, as our models read it. Results name their tool,
 * which some servers want, by the call that they answer.
 */
export function fromEditorMessages(messages: EditorMessages): readonly AgentMessage[] {
  const tools = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((part): [string, string][] =>
        part instanceof vscode.LanguageModelToolCallPart ? [[part.callId, part.name]] : [],
      ),
    ),
  );
  return messages.flatMap((message) =>
    message.role === vscode.LanguageModelChatMessageRole.Assistant
      ? [toAnswer(message)]
      : toSaid(message, tools),
  );
}

function toAnswer({ content }: vscode.LanguageModelChatRequestMessage): AgentMessage {
  const text = content.flatMap((part): TextPart[] =>
    part instanceof vscode.LanguageModelTextPart ? [{ type: 'text', text: part.value }] : [],
  );
  const calls = content.flatMap((part): ToolCallPart[] => {
    if (!(part instanceof vscode.LanguageModelToolCallPart)) return [];
    const { callId, name, input } = part;
    return [{ type: 'toolCall', id: callId, name, arguments: isRecord(input) ? input : {} }];
  });
  return {
    role: 'assistant',
    content: [...text, ...calls],
    provider: vendor,
    model: '',
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp: 0,
  };
}

function toSaid(
  { content }: vscode.LanguageModelChatRequestMessage,
  tools: ReadonlyMap<string, string>,
): readonly AgentMessage[] {
  const results = content.flatMap((part): AgentMessage[] => {
    if (!(part instanceof vscode.LanguageModelToolResultPart)) return [];
    return [
      {
        role: 'toolResult',
        toolCallId: part.callId,
        toolName: tools.get(part.callId) ?? '',
        content: part.content.flatMap(toPart),
        isError: false,
        timestamp: 0,
      },
    ];
  });
  const said = content.flatMap(toPart);
  return said.length === 0 ? results : [...results, { role: 'user', content: said, timestamp: 0 }];
}

/** Text and images; of anything else the model is told that it was there. */
function toPart(part: unknown): (TextPart | ImagePart)[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (!(part instanceof vscode.LanguageModelDataPart)) return [];
  const { data, mimeType } = part;
  if (mimeType.startsWith('image/'))
    return [{ type: 'image', data: Buffer.from(data).toString('base64'), mimeType }];
  if (/^text\/|[/+]json$/u.test(mimeType))
    return [{ type: 'text', text: Buffer.from(data).toString('utf8') }];
  // VS Code sends marks of its own in such parts, which no model needs.
  if (mimeType.startsWith('application/vnd.') || !mimeType.includes('/')) return [];
  return [{ type: 'text', text: `[data of type ${inertLine(mimeType, 80)} is left out]` }];
}
