import { z } from 'zod';

const text = z.string().trim().min(1);
const texts = z.array(text);
const open = z.record(z.string(), z.unknown());

const uiHint = z.looseObject({
  label: z.string().optional().describe('Shown instead of the name of the setting.'),
  help: z.string().optional().describe('One sentence below the field.'),
  placeholder: z.string().optional().describe('Example shown in the empty field.'),
  sensitive: z.boolean().optional().describe('True for a secret: it is stored by reference and never shown.'),
  advanced: z.boolean().optional().describe('True collapses the setting.'),
  order: z.number().optional().describe('Place in the form; lower comes first.'),
  tags: z.array(z.string()).optional(),
});

const contractLists = Object.fromEntries(
  ['services', 'channels', 'speechProviders', 'mediaUnderstandingProviders', 'imageGenerationProviders'].map(
    (name) => [name, texts.optional().describe('Names of what the plugin registers under this kind.')],
  ),
);

/**
 * The one schema of `openclaw.plugin.json` (OpenClaw plugin API, Plugin Manifest Schema; newer fields): the parser checks with it,
 * and editors get it as JSON Schema. Fields it does not know are allowed: upstream has more.
 */
export const manifestSchema = z.object({
  $schema: z.string().optional(),
  id: text.describe('Unique id of the plugin; the key of its settings in plugins.entries.'),
  configSchema: open.describe('JSON Schema (draft-07) of the plugin settings. {} means: no settings.'),
  name: text.optional().describe('Name shown to people.'),
  description: text.optional().describe('One sentence: what the plugin does.'),
  version: text.optional().describe('Version of the plugin.'),
  kind: z
    .union([z.union([z.enum(['memory', 'context-engine']), text]), texts])
    .optional()
    .describe('Exclusive kind: only one plugin of each kind runs (plugins.slots).'),
  enabledByDefault: z
    .boolean()
    .optional()
    .describe('True enables a bundled plugin unless the config disables it.'),
  enabledByDefaultOnPlatforms: texts
    .optional()
    .describe('The same, only on these platforms: darwin, linux, win32.'),
  channels: texts.optional().describe('Ids of the channels that the plugin provides.'),
  providers: texts.optional().describe('Ids of the model providers that the plugin provides.'),
  mcpServers: open
    .optional()
    .describe('MCP servers by name, as other clients describe them. The user is asked before one starts.'),
  requiresPlugins: texts
    .optional()
    .describe('Ids of plugins that this one depends on; a warning names each that does not run.'),
  skills: texts.optional().describe('Folders with skills, relative to the plugin.'),
  uiHints: z
    .record(z.string(), uiHint)
    .optional()
    .describe('How the settings form shows a setting, by its path such as apiKey or server.token.'),
  contracts: z
    .looseObject({
      tools: texts.optional().describe('Names of the tools that the plugin registers.'),
      ...contractLists,
    })
    .optional()
    .describe('What the plugin registers, declared before it runs.'),
  toolMetadata: z
    .record(z.string(), open)
    .optional()
    .describe('Metadata of tools, by tool name; optional: true hides a tool until it is allowed.'),
  activation: z
    .looseObject({
      onStartup: z.boolean().optional().describe('True for a plugin that is needed from the start.'),
      onCommands: texts.optional().describe('Commands that need the plugin.'),
      onChannels: texts.optional().describe('Channels that need the plugin.'),
      onProviders: texts.optional().describe('Model providers that need the plugin.'),
    })
    .optional()
    .describe('When the plugin is needed.'),
  commandAliases: z
    .array(z.union([text, z.looseObject({ name: text.describe('The command, without its slash.') })]))
    .optional()
    .describe('Commands that belong to the plugin.'),
  setup: z
    .looseObject({
      providers: z
        .array(
          z.looseObject({
            id: text,
            envVars: texts.optional().describe('Environment variables that hold its key.'),
          }),
        )
        .optional(),
      requiresRuntime: z.boolean().optional().describe('False if setup needs no code of the plugin.'),
    })
    .optional()
    .describe('What the plugin needs before it can be used.'),
});

export type ManifestFields = Partial<z.infer<typeof manifestSchema>>;

/** Names of the fields that mean something here. */
export const manifestFieldNames: readonly string[] = Object.keys(manifestSchema.shape);
