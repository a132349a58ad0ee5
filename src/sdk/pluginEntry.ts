import { emptyPluginConfigSchema } from './pluginConfigSchema.ts';
import type { OpenClawPluginConfigSchema } from './types/configTypes.ts';
import type { PluginDefinition } from './types/pluginApi.ts';

/** Gives a plugin definition its type, and a config schema where it has none: the one that allows no settings. */
export function definePluginEntry<T extends PluginDefinition>(
  definition: T,
): Omit<T, 'configSchema'> & { readonly configSchema: OpenClawPluginConfigSchema } {
  const { configSchema = emptyPluginConfigSchema } = definition;
  let resolved: OpenClawPluginConfigSchema | undefined;
  // A getter of its own: a schema that is made by a function is made when somebody asks.
  // Keeps the methods of an instance of a class.
  const entry = Object.assign(
    Object.create(Object.getPrototypeOf(definition) as object) as object,
    definition,
  );
  return Object.defineProperty(entry, 'configSchema', {
    enumerable: true,
    get: () => (resolved ??= typeof configSchema === 'function' ? configSchema() : configSchema),
  }) as Omit<T, 'configSchema'> & { readonly configSchema: OpenClawPluginConfigSchema };
}

export {
  buildJsonPluginConfigSchema,
  buildPluginConfigSchema,
  emptyPluginConfigSchema,
} from './pluginConfigSchema.ts';
