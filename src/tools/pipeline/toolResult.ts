import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord, isTooDeep } from '../../base/json.ts';
import { truncate } from '../../base/text.ts';
import { copyData } from '../../base/untrusted.ts';
import type { AgentMessage, ImagePart, TextPart, ToolResultMessage } from '../../contracts/message.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { describeOwner } from '../describeOwner.ts';

/**
 * What a tool really returned as a result the transcript can hold. Plugins return anything; a text alone is fine.
 * @throws PincerError `tool_result_invalid`, naming tool and plugin
 */
export function normalizeToolResult(tool: AgentTool, value: unknown): ToolResult {
  try {
    return normalizeResult(value);
  } catch (error) {
    throw invalid(tool, errorMessage(error));
  }
}

/** Any value as a result that the transcript can hold. @throws Error that says what is wrong with it, as the end of a sentence */
export function normalizeResult(value: unknown): ToolResult {
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (!isRecord(value) || !('content' in value)) throw new Error('no content');
  const { content, details, isError } = value;
  const parts: readonly unknown[] | undefined =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? copyData(content)
        : undefined;
  if (parts?.every(isPart) !== true) throw new Error('content that is no list of text and image parts');
  return {
    content: parts.length === 0 ? [{ type: 'text', text: 'Done, without output.' }] : parts,
    ...readDetails(details),
    ...(isError === true ? { isError } : {}),
  };
}

/** Details that plugins can be given: those that can't be copied would keep every guard from the result. */
function readDetails(details: unknown): Pick<ToolResult, 'details'> {
  if (details === undefined) return {};
  try {
    const copy = copyData(details);
    return { details: isTooDeep(copy) ? leftOut : copy };
  } catch {
    return { details: leftOut };
  }
}

const leftOut = { persistedDetailsTruncated: true };

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

const maxProgressChars = 2_000;

/** What a tool that still runs says of it. Plugins pass anything here, too. Pure. */
export function progressText(partial: { readonly content?: unknown }): string {
  const parts: readonly unknown[] = Array.isArray(partial.content) ? partial.content : [];
  const texts = parts.flatMap((part) => (isPart(part) && part.type === 'text' ? [part.text] : []));
  return truncate(texts.join('\n'), maxProgressChars);
}

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

/** What of it is text. Pure. */
export function textOf({ content }: ToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** What `tool_result_persist` made of a result, which stays that of its call; undefined where it is no result any more. Pure. */
export function readPersisted(message: AgentMessage, made: ToolResultMessage): ToolResultMessage | undefined {
  const content: readonly unknown[] = Array.isArray(message.content) ? message.content : [];
  if (message.role !== 'toolResult' || content.length === 0 || !content.every(isPart)) return undefined;
  const { details: _made, ...rest } = made;
  return {
    ...rest,
    content,
    ...(message.details === undefined ? {} : { details: message.details }),
    isError: message.isError,
  };
}

/** Characters of text that a result may bring into a transcript, over all its parts. */
export const maxResultChars = 16_000;
const maxDetailsBytes = 8_192;
const maxDetailKeys = 40;
/** Room for the note about what was cut. */
const noteChars = 120;

/** A result that fits into a transcript: text is cut with a note that says so, large details become a summary. Pure. */
export function capResult(message: ToolResultMessage, maxChars = maxResultChars): ToolResultMessage {
  const { details, ...rest } = message;
  let left = maxChars;
  const content = message.content.map((part) => {
    if (part.type !== 'text') return part;
    const text = capText(part.text, left);
    left = Math.max(0, left - text.length);
    return { ...part, text };
  });
  return { ...rest, content, ...(details === undefined ? {} : { details: capDetails(details) }) };
}

function capText(text: string, max: number): string {
  if (text.length <= max) return text;
  const shown = Math.max(0, max - noteChars);
  const note = `[Cut: ${text.length} characters in all. Ask for less at a time.]`;
  return shown === 0 ? note : `${truncate(text, shown)}\n\n${note}`;
}

/** Shape and limits are upstream's. What is no JSON is dropped: a transcript could not hold it. */
function capDetails(details: unknown): unknown {
  const json = toJson(details);
  const bytes = json === undefined ? 0 : new TextEncoder().encode(json).length;
  if (json !== undefined && bytes <= maxDetailsBytes) return JSON.parse(json);
  const keys = typeof details === 'object' && details !== null ? Object.keys(details) : [];
  return {
    persistedDetailsTruncated: true,
    originalDetailsBytes: bytes,
    originalDetailKeys: keys.slice(0, maxDetailKeys),
  };
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
