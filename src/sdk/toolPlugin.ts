import type { Params } from '../contracts/jsonTypes.ts';
import { buildJsonPluginConfigSchema } from './pluginConfigSchema.ts';
import { definePluginEntry } from './pluginEntry.ts';
import { jsonResult, textResult } from './toolHelpers.ts';
import type { OpenClawPluginConfigSchema } from './types/configTypes.ts';
import type { OpenClawPluginApi } from './types/pluginApi.ts';
import type { PluginTool, PluginToolContext, PluginToolResult } from './types/toolTypes.ts';

/** The metadata of a tool plugin stands under this symbol of its entry. */
export const toolPluginMetadataSymbol: unique symbol = Symbol.for('openclaw.plugin-sdk.tool-plugin.metadata');

const resultMark = Symbol.for('openclaw.agentToolResult');

/** What a tool's `execute` gets beside parameters and settings. */
export interface ToolPluginExecutionContext {
  readonly api: OpenClawPluginApi;
  readonly toolCallId: string;
  readonly signal?: AbortSignal;
  readonly onUpdate?: (partial: PluginToolResult) => void;
}

export interface ToolPluginFactoryContext {
  readonly api: OpenClawPluginApi;
  readonly config: Readonly<Record<string, unknown>>;
  readonly toolContext: PluginToolContext;
}

/** One tool of a tool plugin: it has `execute`, or `factory`. */
export interface ToolPluginTool {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  /** JSON Schema of an object; TypeBox makes them. */
  readonly parameters: object;
  readonly optional?: boolean;
  /** May return anything: texts go to the model as they are, everything else as JSON. */
  execute?(
    params: Params,
    config: Readonly<Record<string, unknown>>,
    context: ToolPluginExecutionContext,
  ): unknown;
  factory?(context: ToolPluginFactoryContext): PluginTool | PluginTool[] | null | undefined;
}

export interface ToolPluginOptions {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly activation?: object;
  readonly configSchema?: object;
  readonly tools: (tool: (definition: ToolPluginTool) => ToolPluginTool) => readonly ToolPluginTool[];
}

export interface ToolPluginMetadata {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly activation: object;
  readonly configSchema: object;
  readonly tools: readonly {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: object;
    readonly optional?: true;
  }[];
}

/** A plugin entry that is made when `register` is needed, and says what its tools are without that. */
export interface ToolPluginEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly configSchema: OpenClawPluginConfigSchema;
  register(api: OpenClawPluginApi): void;
}

const noSettings = { type: 'object', additionalProperties: false, properties: {} };

/** A whole plugin of nothing but tools. @throws Error at `register` for a tool without `execute` and `factory` */
export function defineToolPlugin(options: ToolPluginOptions): ToolPluginEntry {
  const { id, name, description, activation = { onStartup: true }, configSchema = noSettings } = options;
  const tools = [...options.tools((tool) => tool)];
  const entry = definePluginEntry({
    id,
    name,
    description,
    configSchema: buildJsonPluginConfigSchema(configSchema),
    register(api: OpenClawPluginApi) {
      for (const tool of tools) registerOne(api, tool);
    },
  });
  const metadata: ToolPluginMetadata = {
    ...{ id, name, description, activation, configSchema },
    tools: tools.map(describe),
  };
  return Object.defineProperty(entry, toolPluginMetadataSymbol, { value: metadata, enumerable: false });
}

/** What `defineToolPlugin` was told of the tools. */
export function getToolPluginMetadata(entry: unknown): ToolPluginMetadata | undefined {
  const holder = typeof entry === 'object' && entry !== null ? entry : {};
  return (holder as { readonly [toolPluginMetadataSymbol]?: ToolPluginMetadata })[toolPluginMetadataSymbol];
}

/** Marks a value as a finished tool result, which is passed on as it is. */
export function toolResult<T extends PluginToolResult>(result: T): T {
  return Object.defineProperty(result, resultMark, { value: true });
}

function describe({
  name,
  label = name,
  description,
  parameters,
  optional,
}: ToolPluginTool): ToolPluginMetadata['tools'][number] {
  return { name, label, description, parameters, ...(optional === true ? { optional } : {}) };
}

function registerOne(api: OpenClawPluginApi, tool: ToolPluginTool): void {
  const { name, label = name, description, parameters } = tool;
  const config = api.pluginConfig;
  const options = { name, ...(tool.optional === true ? { optional: true } : {}) };
  if (tool.factory !== undefined) {
    api.registerTool((toolContext) => tool.factory?.({ api, config, toolContext }), options);
    return;
  }
  if (tool.execute === undefined) throw new Error(`tool plugin tool ${name} must define execute or factory`);
  api.registerTool(
    {
      ...{ name, label, description, parameters },
      execute: async (toolCallId, params, signal, onUpdate) =>
        toResult(
          await tool.execute?.(params, config, {
            ...{ api, toolCallId },
            ...(signal === undefined ? {} : { signal }),
            ...(onUpdate === undefined ? {} : { onUpdate }),
          }),
        ),
    },
    options,
  );
}

function toResult(value: unknown): PluginToolResult {
  if (isToolResult(value)) return value;
  return typeof value === 'string' ? textResult(value, value) : jsonResult(value);
}

/** Data may look like a result of texts by chance, so that one has to be marked; images are no data. */
function isToolResult(value: unknown): value is PluginToolResult {
  if (typeof value !== 'object' || value === null || !('content' in value)) return false;
  const { content } = value;
  if (!Array.isArray(content)) return false;
  const parts = content as readonly { readonly type?: unknown }[];
  return resultMark in value || parts.some((part) => part.type === 'image');
}
