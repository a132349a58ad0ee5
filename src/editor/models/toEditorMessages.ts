import * as vscode from 'vscode';
import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import type { ModelRequest } from '../../contracts/model.ts';

type AnswerPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/** VS Code knows no system role: the system prompt goes first, as the user's. Its stable API carries no thoughts. */
export function toEditorMessages({
  systemPrompt,
  messages,
}: ModelRequest): vscode.LanguageModelChatMessage[] {
  const { LanguageModelChatMessage } = vscode;
  const said = messages.flatMap((message) => toEditorMessage(message) ?? []);
  return systemPrompt === '' ? said : [LanguageModelChatMessage.User(systemPrompt), ...said];
}

function toEditorMessage(message: AgentMessage): vscode.LanguageModelChatMessage | undefined {
  const { LanguageModelChatMessage } = vscode;
  switch (message.role) {
    case 'assistant': {
      const parts = message.content.flatMap((part): AnswerPart[] => {
        if (part.type === 'text') return [new vscode.LanguageModelTextPart(part.text)];
        if (part.type === 'thinking') return [];
        return [new vscode.LanguageModelToolCallPart(part.id, part.name, part.arguments)];
      });
      // An answer of thoughts alone would be empty, which models refuse.
      return parts.length === 0 ? undefined : LanguageModelChatMessage.Assistant(parts);
    }
    case 'toolResult':
      return LanguageModelChatMessage.User([
        new vscode.LanguageModelToolResultPart(message.toolCallId, message.content.map(toPart)),
      ]);
    case 'user':
      return LanguageModelChatMessage.User(message.content.map(toPart));
  }
}

function toPart(part: TextPart | ImagePart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.type === 'text'
    ? new vscode.LanguageModelTextPart(part.text)
    : vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
}
