import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import type { Model, ModelInfo, ModelEvent, ModelRequest, ModelSettings } from '../../contracts/model.ts';
import { builtInModelInfo } from '../../models/builtIn/builtInModelInfo.ts';
import { aborted } from '../../models/library/modelErrors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { toModelError } from '../models/editorErrors.ts';
import { modelIdOf, refOfModelId, vendor } from '../models/modelIds.ts';

/** Who chose a model: the panel's picker, `/model`, a binding, the agent's part of the config, or the config's default. */
export type ModelSource = 'picker' | 'session' | 'binding' | 'agent' | 'config';

export interface ChosenModel {
  readonly model: Model;
  readonly source: ModelSource;
  /** What the config names and nobody has: this model stands in for it. */
  readonly missing?: string;
}

/**
 * The model for a turn. What the panel's picker shows comes first, since the user sees it there; its automatic entry, and a surface
 * without a picker, leave it to `/model`, then to the binding, to the agent and to the config.
 *
 * @throws PincerError `model_unknown`: another model in its place might send the workspace somewhere the user did not choose
 */
export function modelOfTurn(
  runtime: Pick<Runtime, 'models' | 'conversations'>,
  session: Session,
  picked: vscode.LanguageModelChat | undefined,
): ChosenModel {
  if (picked !== undefined && !isAutomatic(picked))
    return { model: pickedModel(runtime, picked), source: 'picker' };
  const chosen = runtime.conversations.modelOf(session);
  if (chosen !== undefined && chosen.source !== 'config')
    return { model: requireModel(runtime, chosen.model), source: chosen.source };
  const isMissing = chosen !== undefined && runtime.models.find(chosen.model) === undefined;
  return {
    model: runtime.models.default(),
    source: 'config',
    ...(isMissing ? { missing: chosen.model } : {}),
  };
}

/** The picker's automatic entry. */
function isAutomatic({ vendor: by, id }: vscode.LanguageModelChat): boolean {
  return by === vendor && refOfModelId(id) === undefined;
}

/** The model that the picker shows. Ours are asked directly; anybody else's go through VS Code. */
function pickedModel({ models }: Pick<Runtime, 'models'>, picked: vscode.LanguageModelChat): Model {
  if (picked.vendor !== vendor) return createEditorModel(picked);
  const ref = refOfModelId(picked.id);
  const model = ref === undefined ? undefined : models.get(ref);
  if (model !== undefined) return model;
  throw new PincerError('model_unknown', `The model ${picked.id} is no longer configured.`, {
    hint: 'Pick another model in the chat input.',
  });
}

function requireModel({ models }: Pick<Runtime, 'models'>, name: string): Model {
  const model = models.find(name);
  if (model !== undefined) return model;
  throw new PincerError('model_unknown', `The model ${name} is no longer configured.`, {
    hint: 'Choose another one with /model, or /model default for that of the config.',
  });
}

/**
 * The model of `/tool`: the built-in one, which calls what it is told to. It gets the window of the model that answers otherwise
 * (`inUse`, chosen by `source`), so that no conversation is shortened for it.
 */
export function modelOfToolCall(
  runtime: Pick<Runtime, 'models' | 'conversations'>,
  session: Session,
  picked: vscode.LanguageModelChat | undefined,
): ChosenModel & { readonly inUse: ModelInfo } {
  const builtIn = requireModel(runtime, modelIdOf(builtInModelInfo));
  const answering = answeringModel(runtime, session, picked);
  const inUse = answering?.model.info ?? builtIn.info;
  const contextWindow = Math.max(builtIn.info.contextWindow, inUse.contextWindow);
  const model = { ...builtIn, info: { ...builtIn.info, contextWindow } };
  return { model, source: answering?.source ?? 'config', inUse };
}

function answeringModel(
  runtime: Pick<Runtime, 'conversations' | 'models'>,
  session: Session,
  picked: vscode.LanguageModelChat | undefined,
): ChosenModel | undefined {
  try {
    return modelOfTurn(runtime, session, picked);
  } catch (error) {
    // That no model can answer is no reason against calling a tool.
    if (error instanceof PincerError) return undefined;
    throw error;
  }
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
