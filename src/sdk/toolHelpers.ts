import type { PluginToolResult } from './types.ts';

/** A tool result that shows `payload` to the model as JSON and keeps it as details. */
export function jsonResult(payload: unknown): PluginToolResult {
  const text = (JSON.stringify(payload, undefined, 2) as string | undefined) ?? 'null';
  return { content: [{ type: 'text', text }], details: payload };
}

/** A tool result of plain text. */
export function textResult(text: string, details?: unknown): PluginToolResult {
  return { content: [{ type: 'text', text }], ...(details === undefined ? {} : { details }) };
}

/** JSON Schema of a text that is one of `values`. */
export function stringEnum(values: readonly string[], options: object = {}): object {
  return { type: 'string', enum: [...values], ...options };
}

/** As `stringEnum`, marked optional the way TypeBox marks a property. */
export function optionalStringEnum(values: readonly string[], options: object = {}): object {
  return { ...stringEnum(values, options), [Symbol.for('TypeBox.Optional')]: 'Optional' };
}
