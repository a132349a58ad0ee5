import { z } from 'zod';

const text = z.string().min(1);

/** Keys that every plugin of an agent file has beside its own. */
export const runShape = {
  enabled: z.boolean().optional().meta({ description: 'False disables this plugin.', default: true }),
  blocking: z
    .boolean()
    .optional()
    .describe('Whether this plugin can block the request, call or answer that it inspects.'),
  priority: z.int().optional().describe('Lower runs first; unique among the enabled plugins.'),
  timeout: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .meta({ description: 'Time limit at each extension point, in milliseconds.', default: 5_000 }),
  dependsOn: z
    .array(text)
    .optional()
    .meta({ description: 'Plugins that must be loaded and run before this one.', default: [] }),
};

export const runSchema = z.strictObject(runShape);

const version = text.optional().describe('Version range that the plugin must satisfy, such as ^1.2.0.');
const config = z
  .record(z.string(), z.unknown())
  .nullish()
  .meta({ description: "The plugin's own settings; $NAME takes them from the environment.", default: {} });

/** One of `plugins.custom` (Dexto plugin specification, Configuration Formats). */
export const customPluginSchema = z.strictObject({
  name: text.max(100).describe('Names this plugin in messages and in the log; each needs its own.'),
  module: text.describe(
    '"${{dexto.agent_dir}}/plugins/name.ts", another absolute path, or the name of an npm package.',
  ),
  ...runShape,
  blocking: runShape.blocking.meta({
    description: 'Whether this plugin can block the request, call or answer that it inspects.',
    default: true,
  }),
  priority: z.int().describe('Lower runs first; unique among the enabled plugins.'),
  version,
  config,
});

/** One of `plugins.registry`, as a later version of upstream has it: a built-in by its type, or with a module. */
export const registryPluginSchema = z.strictObject({
  type: text
    .max(100)
    .describe('Type of a built-in plugin, such as content-policy; with module, the name of the plugin.'),
  module: text.optional().describe('Module of a plugin that is not built in, as in plugins.custom.'),
  ...runShape,
  priority: z.int().describe('Lower runs first; unique among the enabled plugins.'),
  version,
  config,
});

/** One of `hooks`, as upstream has it now: their order in the file counts, and their settings stand beside `type`. */
export const hookSchema = z.looseObject({
  type: text
    .max(100)
    .describe('Type of a built-in plugin, such as content-policy; with module, the name of the plugin.'),
  module: text.optional().describe('Module of a plugin that is not built in, as in plugins.custom.'),
  enabled: runShape.enabled,
});
