import type { PluginConfigUiHint } from './types/configTypes.ts';

/** What a channel says of its settings: a JSON Schema, words for a form, and a check in code. */
export interface ChannelConfigSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly uiHints?: Readonly<Record<string, PluginConfigUiHint>>;
  readonly runtime?: {
    safeParse(value: unknown):
      | { readonly success: true; readonly data: unknown }
      | {
          readonly success: false;
          readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[];
        };
  };
}

/** One from a JSON Schema. */
export function buildJsonChannelConfigSchema(
  schema: Readonly<Record<string, unknown>>,
  options: Pick<ChannelConfigSchema, 'uiHints' | 'runtime'> = {},
): ChannelConfigSchema {
  const { uiHints, runtime } = options;
  return {
    schema,
    ...(uiHints === undefined ? {} : { uiHints }),
    ...(runtime === undefined ? {} : { runtime }),
  };
}

/** One of a channel that has no settings. */
export function emptyChannelConfigSchema(): ChannelConfigSchema {
  return { schema: { type: 'object', additionalProperties: false, properties: {} } };
}
