import * as vscode from 'vscode';
import { cancelledError } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';

/** A model of another extension (Copilot, a local provider …) behind our model contract. */
export function createEditorModel(chat: vscode.LanguageModelChat): Model {
  return {
    info: {
      provider: chat.vendor,
      model: chat.id,
      name: chat.name,
      contextWindow: chat.maxInputTokens,
      maxOutputTokens: chat.maxInputTokens,
      toolCalling: true,
    },
    stream: (request) => streamAnswer(chat, request),
  };
}

async function* streamAnswer(
  chat: vscode.LanguageModelChat,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  request.signal.addEventListener('abort', cancel, { once: true });
  try {
    const tools = request.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: parameters,
    }));
    const response = await chat.sendRequest(toEditorMessages(request), { tools }, source.token);
    let called = false;
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
      if (part instanceof vscode.LanguageModelToolCallPart) {
        called = true;
        yield {
          type: 'toolCall',
          id: part.callId,
          name: part.name,
          arguments: isRecord(part.input) ? part.input : {},
        };
      }
    }
    yield { type: 'done', stopReason: called ? 'toolUse' : 'stop' };
  } catch (error) {
    throw request.signal.aborted ? cancelledError() : toModelError(chat, error);
  } finally {
    request.signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** VS Code knows no system role: the system prompt goes first, as the user's. */
function toEditorMessages(request: ModelRequest): vscode.LanguageModelChatMessage[] {
  return [
    vscode.LanguageModelChatMessage.User(request.systemPrompt),
    ...request.messages.map(toEditorMessage),
  ];
}

function toEditorMessage(message: AgentMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant(
        message.content.flatMap(
          (part): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] => {
            if (part.type === 'text') return [new vscode.LanguageModelTextPart(part.text)];
            // VS Code has no stable part for thoughts.
            if (part.type === 'thinking') return [];
            return [new vscode.LanguageModelToolCallPart(part.id, part.name, part.arguments)];
          },
        ),
      );
    case 'toolResult':
      return vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelToolResultPart(message.toolCallId, message.content.map(toPart)),
      ]);
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.content.map(toPart));
  }
}

function toPart(part: TextPart | ImagePart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.type === 'text'
    ? new vscode.LanguageModelTextPart(part.text)
    : vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
}

function toModelError(chat: vscode.LanguageModelChat, error: unknown): PincerError {
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  if (code === 'NoPermissions') {
    return new PincerError('model_unauthorized', `VS Code did not let Pincer use ${chat.name}.`, {
      hint: 'Allow it when VS Code asks, or pick another model.',
      cause: error,
    });
  }
  if (code === 'Blocked')
    return new PincerError('model_rate_limited', `${chat.name} refused the request: ${errorMessage(error)}`, {
      cause: error,
    });
  return new PincerError('model_unavailable', `${chat.name} failed: ${errorMessage(error)}`, {
    hint: 'Try again, or pick another model.',
    cause: error,
  });
}
