import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { Model, ModelEvent, ModelRequest, ModelSettings } from '../../contracts/model.ts';
import type { Runtime } from '../../runtime/index.ts';
import { refOfModelId, vendor } from './modelIds.ts';
import { isRecord } from '../../base/json.ts';
import { aborted } from '../../models/library/modelErrors.ts';
import { toModelError } from './editorErrors.ts';
import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';

/**
 * The model for a turn: the one picked in the panel. Ours are asked directly; "automatic" means the config's default, and
 * the built-in one where there is none; anybody else's go through VS Code.
 */
export function chooseModel(runtime: Runtime, picked: vscode.LanguageModelChat): Model {
  if (picked.vendor !== vendor) return createEditorModel(picked);
  const ref = refOfModelId(picked.id);
  if (ref === undefined) return runtime.models.default();
  const model = runtime.models.get(ref);
  if (model !== undefined) return model;
  // Another model in its place might send the workspace somewhere the user did not choose.
  throw new PincerError('model_unknown', `The model ${picked.id} is no longer configured.`, {
    hint: 'Pick another model in the chat input.',
  });
}

/**
 * A model of another extension (Copilot, a local provider …) behind our model contract. VS Code's stable API says neither
 * whether it reads images nor what it used, and carries no thoughts: images are sent and a refusal says so, tokens are
 * estimated elsewhere.
 */
function createEditorModel(chat: vscode.LanguageModelChat): Model {
  return {
    info: {
      provider: chat.vendor,
      model: chat.id,
      name: chat.name,
      contextWindow: chat.maxInputTokens,
      maxOutputTokens: chat.maxInputTokens,
      toolCalling: true,
      imageInput: true,
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
    const response = await chat.sendRequest(toEditorMessages(request), toOptions(request), source.token);
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
    throw request.signal.aborted ? aborted() : toModelError(chat.name, error, hasImages(request));
  } finally {
    request.signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

function toOptions({ tools, settings = {} }: ModelRequest): vscode.LanguageModelChatRequestOptions {
  const modelOptions = toModelOptions(settings);
  return {
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
    ...(modelOptions === undefined ? {} : { modelOptions }),
  };
}

/** The names that OpenAI's protocol has, which most providers hand on; VS Code defines none. */
function toModelOptions({ temperature, maxTokens }: ModelSettings): Record<string, number> | undefined {
  if (temperature === undefined && maxTokens === undefined) return undefined;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
  };
}

function hasImages({ messages }: ModelRequest): boolean {
  return messages.some(({ content }) => content.some((part) => part.type === 'image'));
}

type AnswerPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/** VS Code knows no system role: the system prompt goes first, as the user's. Its stable API carries no thoughts. */
function toEditorMessages({ systemPrompt, messages }: ModelRequest): vscode.LanguageModelChatMessage[] {
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
