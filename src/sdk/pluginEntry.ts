import type { PluginDefinition } from './types.ts';

/** Gives a plugin definition its type; returns it as it is. */
export function definePluginEntry<T extends PluginDefinition>(definition: T): T {
  return definition;
}

/** A configuration schema for plugins that have no settings. */
export function emptyPluginConfigSchema(): {
  readonly jsonSchema: object;
  safeParse(value: unknown): { readonly success: boolean; readonly data?: object; readonly error?: object };
} {
  return {
    jsonSchema: { type: 'object', additionalProperties: false, properties: {} },
    safeParse(value) {
      const isEmpty =
        value === undefined ||
        (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
      if (isEmpty && !Array.isArray(value)) return { success: true, data: {} };
      return { success: false, error: { issues: [{ path: [], message: 'config must be empty' }] } };
    },
  };
}
