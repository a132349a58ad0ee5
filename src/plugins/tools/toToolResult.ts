import { isRecord } from '../../base/json.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { ToolResult } from '../../contracts/tool.ts';

/** What a plugin's tool returned, as the pipeline knows results; anything that is no result becomes text. Pure. */
export function toToolResult(value: unknown): ToolResult {
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
