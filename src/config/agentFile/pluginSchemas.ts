import { z } from 'zod';

const text = z.string().min(1);

/** Keys that every plugin of an agent file has beside its own. */
export const runShape = {
  enabled: z.boolean().optional().meta({ description: 'False: this plugin does not run.', default: true }),
  blocking: z.boolean().optional().describe('Whether this plugin can stop what it looks at.'),
  priority: z.int().optional().describe('Lower runs first; each plugin that runs needs its own.'),
  timeout: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .meta({ description: 'Milliseconds at each extension point.', default: 5_000 }),
  dependsOn: z
    .array(text)
    .optional()
    .meta({ description: 'Plugins that must be there, and run, before this one.', default: [] }),
};

export const runSchema = z.strictObject(runShape);

const version = text.optional().describe("Range that the plugin's version must be in, such as ^1.2.0.");
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
    description: 'Whether this plugin can stop what it looks at.',
    default: true,
  }),
  priority: z.int().describe('Lower runs first; each plugin that runs needs its own.'),
  version,
  config,
});

/** One of `plugins.registry`, as a later version of upstream has it: a built-in by its type, or with a module. */
export const registryPluginSchema = z.strictObject({
  type: text
    .max(100)
    .describe('The built-in plugin, such as content-policy; with module the name of the plugin.'),
  module: text.optional().describe('As in plugins.custom, for what is not built in.'),
  ...runShape,
  priority: z.int().describe('Lower runs first; each plugin that runs needs its own.'),
  version,
  config,
});

/** One of `hooks`, as upstream has it now: their order in the file counts, and their settings stand beside `type`. */
export const hookSchema = z.looseObject({
  type: text
    .max(100)
    .describe('The built-in plugin, such as content-policy; with module the name of the plugin.'),
  module: text.optional().describe('As in plugins.custom, for what is not built in.'),
  enabled: runShape.enabled,
});
