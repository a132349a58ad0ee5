import * as vscode from 'vscode';
import { estimateMessages, estimateTokens } from '../../agent/context/estimateTokens.ts';
import { isRecord } from '../../base/json.ts';
import type { Model, ModelInfo, ModelSettings } from '../../contracts/model.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import { builtInModelInfo } from '../../models/builtIn/builtInModelInfo.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { setContextKey } from '../setContextKey.ts';
import { toAbortSignal } from '../toAbortSignal.ts';
import { toEditorError } from './editorErrors.ts';
import { automaticModelId, modelIdOf, refOfModelId, vendor } from './modelIds.ts';

/**
 * Our models in VS Code's own list. Without one the panel never calls the participant and asks to sign in instead, so this
 * must stand before the first message; the list of the last window is shown until the runtime has loaded.
 */
export function registerModelProvider(runtime: LazyRuntime, memento: vscode.Memento): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const remembered = 'pincer.models';
  const current = (): readonly ModelInfo[] =>
    runtime
      .peek()
      ?.models.list()
      .map((model) => model.info) ??
    memento.get<readonly ModelInfo[]>(remembered) ?? [builtInModelInfo];

  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => [automatic, ...current().map(toInformation)],
    async provideLanguageModelChatResponse(information, messages, options, progress, token) {
      const loaded = await runtime.get();
      const ref = refOfModelId(information.id);
      const model = ref === undefined ? loaded.models.default() : loaded.models.get(ref);
      if (model === undefined)
        throw vscode.LanguageModelError.NotFound(`${information.id} is no longer configured.`);
      try {
        await answer(model, messages, options, progress, toAbortSignal(token));
      } catch (error) {
        throw token.isCancellationRequested ? new vscode.CancellationError() : toEditorError(error);
      }
    },
    async provideTokenCount(_information, text) {
      if (typeof text === 'string') return estimateTokens(text);
      const { fromEditorMessages } = await import('../onDemand.ts');
      return estimateMessages(fromEditorMessages([text]));
    },
  };

  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => {
      const isAlone = loaded.models.list().every(({ info }) => info.provider === builtInModelInfo.provider);
      setContextKey('pincer.models', isAlone ? 'builtIn' : 'added');
      void memento.update(
        remembered,
        loaded.models.list().map((model) => model.info),
      );
      changed.fire();
    };
    refresh();
    return loaded.models.onDidChange(refresh);
  });
  const registration = vscode.lm.registerLanguageModelChatProvider(vendor, provider);
  // Makes the panel pick one of ours before the first message.
  void vscode.lm.selectChatModels({ vendor });
  return vscode.Disposable.from(registration, changed, attached);
}

/** One answer of our model. VS Code's stable API takes text and tool calls; thoughts stay here. */
async function answer(
  model: Model,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  options: vscode.ProvideLanguageModelChatResponseOptions,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  signal: AbortSignal,
): Promise<void> {
  const { fromEditorMessages } = await import('../onDemand.ts');
  const request = {
    systemPrompt: '',
    messages: fromEditorMessages(messages),
    tools: (options.tools ?? []).map(toDefinition),
    settings: toSettings(options.modelOptions ?? {}),
    signal,
  };
  for await (const event of model.stream(request)) {
    if (event.type === 'text') progress.report(new vscode.LanguageModelTextPart(event.text));
    if (event.type === 'toolCall')
      progress.report(new vscode.LanguageModelToolCallPart(event.id, event.name, event.arguments));
  }
}

/** Callers name what they want as the protocols do; what is none of it is left out. */
function toSettings(options: Readonly<Record<string, unknown>>): ModelSettings {
  const { temperature } = options;
  const maxTokens = [options['max_tokens'], options['max_completion_tokens'], options['maxTokens']].find(
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0,
  );
  const isTemperature = typeof temperature === 'number' && temperature >= 0 && temperature <= 2;
  return {
    ...(isTemperature ? { temperature } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

const automatic: vscode.LanguageModelChatInformation = {
  id: automaticModelId,
  // The panel starts with the model whose name sorts first: ours alone starts with a space.
  name: ` ${vscode.l10n.t('Auto (Pincer)')}`,
  detail: vscode.l10n.t('The default of your config, else the built-in model'),
  family: vendor,
  version: '1',
  maxInputTokens: builtInModelInfo.contextWindow,
  maxOutputTokens: builtInModelInfo.maxOutputTokens,
  // Images that it can not read go to agent.imageModel or are named in the prompt.
  capabilities: { toolCalling: true, imageInput: true },
};

function toInformation(info: ModelInfo): vscode.LanguageModelChatInformation {
  return {
    id: modelIdOf(info),
    name: info.name.replace(/^[\s\p{C}]+/u, ''),
    ...(info.detail === undefined ? {} : { detail: info.detail }),
    family: info.provider,
    version: '1',
    maxInputTokens: info.contextWindow,
    maxOutputTokens: info.maxOutputTokens,
    capabilities: { toolCalling: info.toolCalling, imageInput: info.imageInput === true },
  };
}

function toDefinition(tool: vscode.LanguageModelChatTool): ToolDefinition {
  return {
    name: tool.name,
    description: tool.description,
    parameters: isRecord(tool.inputSchema) ? tool.inputSchema : { type: 'object' },
  };
}
