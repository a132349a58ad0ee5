import type {
  OpenClawPluginConfigSchema,
  PluginConfigIssue,
  PluginConfigParseResult,
  PluginConfigUiHint,
} from './types/configTypes.ts';

/** A configuration schema for plugins that have no settings. */
export function emptyPluginConfigSchema(): Required<
  Pick<OpenClawPluginConfigSchema, 'jsonSchema' | 'safeParse'>
> {
  return {
    jsonSchema: { type: 'object', additionalProperties: false, properties: {} },
    safeParse(value) {
      if (value === undefined) return { success: true, data: undefined };
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return refused('expected config object');
      }
      return Object.keys(value).length === 0
        ? { success: true, data: value }
        : refused('config must be empty');
    },
  };
}

/**
 * A configuration schema from a JSON Schema. The host checks settings against the manifest's schema before a plugin is
 * loaded, so this one only carries it.
 */
export function buildJsonPluginConfigSchema(
  jsonSchema: object,
  options: {
    readonly uiHints?: Readonly<Record<string, PluginConfigUiHint>>;
    readonly safeParse?: (value: unknown) => PluginConfigParseResult;
  } = {},
): OpenClawPluginConfigSchema {
  return {
    jsonSchema: jsonSchema as Readonly<Record<string, unknown>>,
    safeParse: options.safeParse ?? ((value) => ({ success: true, data: value })),
    ...(options.uiHints === undefined ? {} : { uiHints: options.uiHints }),
  };
}

/** Something that can check values, such as a zod schema. */
export interface ParsingSchema {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
  toJSONSchema?(options?: object): object;
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A configuration schema from one of zod's. */
export function buildPluginConfigSchema(
  schema: ParsingSchema,
  options: { readonly uiHints?: Readonly<Record<string, PluginConfigUiHint>> } = {},
): OpenClawPluginConfigSchema {
  return buildJsonPluginConfigSchema(schema.toJSONSchema?.({ target: 'draft-7' }) ?? { type: 'object' }, {
    ...options,
    safeParse: (value) => {
      const parsed = schema.safeParse(value);
      return parsed.success
        ? parsed
        : { success: false, error: { issues: parsed.error.issues.map(toIssue) } };
    },
  });
}

function toIssue({ path, message }: SchemaIssue): PluginConfigIssue {
  return { path: path.map((step) => (typeof step === 'number' ? step : String(step))), message };
}

function refused(message: string): PluginConfigParseResult {
  return { success: false, error: { issues: [{ path: [], message }] } };
}
