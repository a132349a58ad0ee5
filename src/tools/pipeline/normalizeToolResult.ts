import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { describeOwner } from '../describeOwner.ts';

/**
 * What a tool really returned as a result the transcript can hold. Plugins return anything; a text alone is fine.
 * @throws PincerError `tool_result_invalid`, naming tool and plugin
 */
export function normalizeToolResult(tool: AgentTool, value: unknown): ToolResult {
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (!isRecord(value) || !('content' in value)) throw invalid(tool, 'no content');
  const { content, details, isError } = value;
  const parts: readonly unknown[] | undefined =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? content
        : undefined;
  if (parts?.every(isPart) !== true) throw invalid(tool, 'content that is no list of text and image parts');
  return {
    content: parts.length === 0 ? [{ type: 'text', text: 'Done, without output.' }] : parts,
    ...(details === undefined ? {} : { details }),
    ...(isError === true ? { isError } : {}),
  };
}

/** True for a part that a tool result may hold. */
export function isPart(part: unknown): part is TextPart | ImagePart {
  if (!isRecord(part)) return false;
  if (part['type'] === 'text') return typeof part['text'] === 'string';
  return part['type'] === 'image' && typeof part['data'] === 'string' && typeof part['mimeType'] === 'string';
}

function invalid(tool: AgentTool, what: string): PincerError {
  return new PincerError(
    'tool_result_invalid',
    `The tool "${tool.name}" of ${describeOwner(tool.owner)} returned ${what}.`,
    { hint: 'This is a fault of the tool. Do not repeat the call.' },
  );
}
