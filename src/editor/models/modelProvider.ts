import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { AgentMessage, TextPart, ToolCallPart } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import { builtInModelInfo } from '../../models/builtIn/builtInModelInfo.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { toAbortSignal } from '../toAbortSignal.ts';
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
      const model = ref === undefined ? loaded.defaultModel() : loaded.models.get(ref);
      if (model === undefined)
        throw vscode.LanguageModelError.NotFound(`${information.id} is no longer configured.`);
      const tools = (options.tools ?? []).map(toDefinition);
      const request = {
        systemPrompt: '',
        messages: messages.flatMap(toAgentMessages),
        tools,
        signal: toAbortSignal(token),
      };
      for await (const event of model.stream(request)) {
        if (event.type === 'text') progress.report(new vscode.LanguageModelTextPart(event.text));
        if (event.type === 'toolCall')
          progress.report(new vscode.LanguageModelToolCallPart(event.id, event.name, event.arguments));
      }
    },
    provideTokenCount: (_information, text) => Promise.resolve(Math.ceil(lengthOf(text) / 4)),
  };

  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => {
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

const automatic: vscode.LanguageModelChatInformation = {
  id: automaticModelId,
  // The panel starts with the model whose name sorts first.
  name: vscode.l10n.t('Auto (Pincer)'),
  detail: vscode.l10n.t('The default of your config, else the built-in model'),
  family: vendor,
  version: '1',
  maxInputTokens: builtInModelInfo.contextWindow,
  maxOutputTokens: builtInModelInfo.maxOutputTokens,
  capabilities: { toolCalling: true },
};

function toInformation(info: ModelInfo): vscode.LanguageModelChatInformation {
  return {
    id: modelIdOf(info),
    name: info.name,
    ...(info.detail === undefined ? {} : { detail: info.detail }),
    family: info.provider,
    version: '1',
    maxInputTokens: info.contextWindow,
    maxOutputTokens: info.maxOutputTokens,
    capabilities: { toolCalling: info.toolCalling },
  };
}

function toDefinition(tool: vscode.LanguageModelChatTool): ToolDefinition {
  return {
    name: tool.name,
    description: tool.description,
    parameters: isRecord(tool.inputSchema) ? tool.inputSchema : { type: 'object' },
  };
}

function toAgentMessages(message: vscode.LanguageModelChatRequestMessage): readonly AgentMessage[] {
  const text = message.content.flatMap((part): TextPart[] =>
    part instanceof vscode.LanguageModelTextPart ? [{ type: 'text', text: part.value }] : [],
  );
  if (message.role === vscode.LanguageModelChatMessageRole.Assistant) {
    const calls = message.content.flatMap((part): ToolCallPart[] =>
      part instanceof vscode.LanguageModelToolCallPart
        ? [
            {
              type: 'toolCall',
              id: part.callId,
              name: part.name,
              arguments: isRecord(part.input) ? part.input : {},
            },
          ]
        : [],
    );
    return [
      {
        role: 'assistant',
        content: [...text, ...calls],
        provider: vendor,
        model: '',
        stopReason: calls.length > 0 ? 'toolUse' : 'stop',
        timestamp: 0,
      },
    ];
  }
  const results = message.content.flatMap((part): AgentMessage[] =>
    part instanceof vscode.LanguageModelToolResultPart
      ? [
          {
            role: 'toolResult',
            toolCallId: part.callId,
            toolName: '',
            content: part.content.flatMap(resultText),
            isError: false,
            timestamp: 0,
          },
        ]
      : [],
  );
  return text.length === 0 ? results : [...results, { role: 'user', content: text, timestamp: 0 }];
}

function resultText(part: unknown): TextPart[] {
  return part instanceof vscode.LanguageModelTextPart ? [{ type: 'text', text: part.value }] : [];
}

function lengthOf(text: string | vscode.LanguageModelChatRequestMessage): number {
  if (typeof text === 'string') return text.length;
  return text.content.reduce<number>(
    (sum, part) => sum + (part instanceof vscode.LanguageModelTextPart ? part.value.length : 0),
    0,
  );
}
