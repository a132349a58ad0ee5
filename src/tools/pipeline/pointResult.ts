import { isRecord } from '../../base/json.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import { isPart } from './normalizeToolResult.ts';

/** A result as `afterToolResult` passes it on: `{ content, details? }`, or `{ error }` where the tool failed. Pure. */
export function toPointResult(result: ToolResult): Readonly<Record<string, unknown>> {
  if (result.isError === true) return { error: textOf(result) };
  return { content: result.content, ...(result.details === undefined ? {} : { details: result.details }) };
}

/**
 * What plugins made of a result: a text, `{ content }`, `{ error }` or any JSON. An error makes the result one; a call that failed
 * stays failed whatever they say. Details that they leave out are gone: they might hold what was taken out of the content. Pure.
 */
export function readPointResult(value: unknown, original: ToolResult): ToolResult {
  const hasFailed = original.isError === true;
  const error = errorIn(value);
  if (error !== undefined) return hasFailed && error === textOf(original) ? original : failure(error);
  const read = readContent(value);
  return hasFailed ? { ...read, isError: true } : read;
}

function readContent(value: unknown): ToolResult {
  if (!isRecord(value) || !('content' in value)) return ofText(toText(value));
  const { content, details, isError } = value;
  const rest = {
    ...(details === undefined ? {} : { details }),
    ...(isError === true ? { isError } : {}),
  };
  if (typeof content === 'string') return { ...ofText(content), ...rest };
  const isList = Array.isArray(content) && content.length > 0 && content.every(isPart);
  return isList ? { content, ...rest } : { ...ofText(toText(content)), ...rest };
}

/** Content beats an error beside it. */
function errorIn(value: unknown): string | undefined {
  if (!isRecord(value) || 'content' in value || !('error' in value)) return undefined;
  return toText(value['error']);
}

function failure(error: string): ToolResult {
  return { ...ofText(error), details: { status: 'failed' }, isError: true };
}

function ofText(text: string): ToolResult {
  return { content: [{ type: 'text', text: text === '' ? 'Done, without output.' : text }] };
}

/** Any JSON as the model reads it; an empty list of parts is nothing. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json ?? '';
  } catch {
    return 'A plugin put something in place of this result that is no JSON.';
  }
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
