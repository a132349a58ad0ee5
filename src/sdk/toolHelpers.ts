import type { PluginToolResult } from './types/toolTypes.ts';

/** A tool result that shows `payload` to the model as JSON and keeps it as details. */
export function jsonResult(payload: unknown): PluginToolResult {
  const text = (JSON.stringify(payload, undefined, 2) as string | undefined) ?? 'null';
  return { content: [{ type: 'text', text }], details: payload };
}

/** A tool result of plain text. */
export function textResult(text: string, details?: unknown): PluginToolResult {
  return { content: [{ type: 'text', text }], ...(details === undefined ? {} : { details }) };
}

/** A tool result of one image, with a text beside it. */
export function imageResult(image: {
  readonly label: string;
  readonly path: string;
  /** The image itself, in base64. */
  readonly base64: string;
  readonly mimeType: string;
  readonly extraText?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}): Promise<PluginToolResult> {
  const { path, base64, mimeType, extraText = `MEDIA:${path}`, details } = image;
  return Promise.resolve({
    content: [
      { type: 'text', text: extraText },
      { type: 'image', data: base64, mimeType },
    ],
    details: { path, ...details },
  });
}

/** JSON Schema of a text that is one of `values`. */
export function stringEnum(values: readonly string[], options: object = {}): object {
  return { type: 'string', enum: [...values], ...options };
}

/** As `stringEnum`, marked optional the way TypeBox marks a property. */
export function optionalStringEnum(values: readonly string[], options: object = {}): object {
  return asOptional(stringEnum(values, options));
}

/** JSON Schema of a number that counts something, marked optional. */
export function optionalPositiveIntegerSchema(options: object = {}): object {
  return asOptional({ type: 'integer', minimum: 1, ...options });
}

function asOptional(schema: object): object {
  return { ...schema, [Symbol.for('TypeBox.Optional')]: 'Optional', '~optional': true };
}

/** Says which actions of a tool are switched on; what the settings do not name has the default, which is on. */
export function createActionGate<T extends Readonly<Record<string, boolean | undefined>>>(
  actions: T | undefined,
): (action: keyof T, byDefault?: boolean) => boolean {
  return (action, byDefault = true) => actions?.[action] ?? byDefault;
}
