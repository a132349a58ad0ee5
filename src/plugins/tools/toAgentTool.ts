import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { copyData } from '../../base/untrusted.ts';
import type { ToolRegistration } from '../register/registrations.ts';
import type { PluginTool, PluginToolResult } from '../../sdk/types.ts';
import type { ReadToolSchema } from './createToolSchemaReader.ts';
import { hostToolOf } from './hostTool.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';

type CheckedTool =
  | { readonly ok: true; readonly tool: AgentTool }
  /** What is wrong, starting with the tool's name where it has one. */
  | { readonly ok: false; readonly problem: string };

interface ToolSubject extends Pick<ToolRegistration, 'optional' | 'call'> {
  readonly pluginId: string;
}

/** What every model provider accepts. */
export const toolName = /^[A-Za-z0-9_-]{1,64}$/u;

/** Checks what a plugin calls a tool and wraps it. Nothing malformed ever reaches a model. Texts are upstream's. */
export function toAgentTool(
  value: unknown,
  { pluginId, optional, call }: ToolSubject,
  readSchema: ReadToolSchema,
): CheckedTool {
  if (!isRecord(value)) return { ok: false, problem: 'it is no object' };
  const { name, label, description, execute } = value;
  if (typeof name !== 'string' || name.trim() === '') return { ok: false, problem: 'missing non-empty name' };
  if (!toolName.test(name)) {
    return {
      ok: false,
      problem: `${name} has a name that models refuse (letters, digits, _ and -, at most 64)`,
    };
  }
  if (typeof execute !== 'function') return { ok: false, problem: `${name} missing execute function` };
  const schema = readSchema(value['parameters']);
  if (typeof schema === 'string') return { ok: false, problem: `${name} ${schema}` };
  return {
    ok: true,
    tool: {
      ...(hostToolOf(value) ?? ownTool(value as unknown as PluginTool, { pluginId, call })),
      name,
      label: typeof label === 'string' && label !== '' ? label : name,
      description: typeof description === 'string' ? description : '',
      parameters: schema,
      owner: { kind: 'plugin', pluginId },
      optional,
    },
  };
}

/** What the plugin's own code does is not known beforehand: it may change anything, and says no effects. */
function ownTool(
  tool: PluginTool,
  { pluginId, call }: Omit<ToolSubject, 'optional'>,
): Pick<AgentTool, 'mayWrite' | 'prepare'> {
  return {
    mayWrite: true,
    prepare: ({ part }, params) =>
      Promise.resolve({
        effects: [],
        run: async ({ signal, onUpdate }) => {
          const update = (partial: PluginToolResult): void => onUpdate(toToolResult(partial));
          const result = await raceAbort(
            start(tool, { pluginId, call }, part.id, copyData(params), signal, update),
            signal,
          );
          return toToolResult(result);
        },
      }),
  };
}

async function start(
  tool: PluginTool,
  { pluginId, call }: Omit<ToolSubject, 'optional'>,
  ...args: Parameters<PluginTool['execute']>
): Promise<PluginToolResult> {
  try {
    return await call(`the tool ${tool.name}`, () => tool.execute(...args));
  } catch (error) {
    throw new PincerError('plugin_tool_failed', errorMessage(error), {
      cause: error,
      hint: `The tool ${tool.name} belongs to plugin ${pluginId}.`,
    });
  }
}

/** What a plugin's tool returned, as the pipeline knows results; anything that is no result becomes text. Pure. */
function toToolResult(value: unknown): ToolResult {
  if (!isRecord(value) || value['content'] === undefined) return { content: [textOf(value)] };
  const { content, details, isError } = value;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return {
    content: parts.map(toPart),
    ...(details === undefined ? {} : { details }),
    ...(isError === true ? { isError } : {}),
  };
}

function toPart(part: unknown): TextPart | ImagePart {
  if (!isRecord(part)) return textOf(part);
  const { type, text, data, mimeType } = part;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { type, data, mimeType };
  return textOf(part);
}

function textOf(value: unknown): TextPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  const json = value == null ? undefined : (JSON.stringify(value) as string | undefined);
  return { type: 'text', text: json ?? 'The tool returned nothing.' };
}
