import { z } from 'zod';

const text = z.string().trim().min(1);
const texts = z.array(text);
const open = z.record(z.string(), z.unknown());

const uiHint = z.looseObject({
  label: z.string().optional().describe('Shown instead of the name of the setting.'),
  help: z.string().optional().describe('One sentence below the field.'),
  placeholder: z.string().optional().describe('Example shown in the empty field.'),
  sensitive: z.boolean().optional().describe('True for a secret: it is kept by reference and never shown.'),
  advanced: z.boolean().optional().describe('True folds the setting away.'),
  order: z.number().optional().describe('Place in the form; lower comes first.'),
  tags: z.array(z.string()).optional(),
});

const contractLists = Object.fromEntries(
  ['services', 'channels', 'speechProviders', 'mediaUnderstandingProviders', 'imageGenerationProviders'].map(
    (name) => [name, texts.optional().describe('Names of what the plugin registers of this kind.')],
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
    .describe('Exclusive kinds: of the plugins with one kind, only one runs (plugins.slots).'),
  enabledByDefault: z
    .boolean()
    .optional()
    .describe('True switches a bundled plugin on unless the config says no.'),
  enabledByDefaultOnPlatforms: texts
    .optional()
    .describe('The same on these platforms alone: darwin, linux, win32.'),
  channels: texts.optional().describe('Ids of the channels that the plugin brings.'),
  providers: texts.optional().describe('Ids of the model providers that the plugin brings.'),
  mcpServers: open
    .optional()
    .describe('MCP servers by name, as other clients describe them. The user is asked before one starts.'),
  requiresPlugins: texts
    .optional()
    .describe('Ids of plugins without which this one is of no use; a warning names one that does not run.'),
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
    .describe('What the plugin registers, known before it runs.'),
  toolMetadata: z
    .record(z.string(), open)
    .optional()
    .describe(
      'What is known of a tool before it runs, by tool name; optional: true hides it until it is allowed.',
    ),
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
      requiresRuntime: z.boolean().optional().describe('False where setting up needs no code of the plugin.'),
    })
    .optional()
    .describe('What the plugin needs before it is of use.'),
});

export type ManifestFields = Partial<z.infer<typeof manifestSchema>>;

/** Names of the fields that mean something here. */
export const manifestFieldNames: readonly string[] = Object.keys(manifestSchema.shape);
