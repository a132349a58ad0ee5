import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { idleKeys } from './knownKeys.ts';
import {
  internalToolsSchema,
  llmSchema,
  mcpServerSchema,
  sessionsSchema,
  systemPromptSchema,
  toolConfirmationSchema,
} from './partSchemas.ts';
import { customPluginSchema, hookSchema, registryPluginSchema, runShape } from './pluginSchemas.ts';
import { storageSchema } from './storageSchema.ts';
import type { BuiltInRule, BuiltInRules } from './toPluginEntries.ts';

/** JSON Schema of an agent file, for editors: every key with what it does and what holds without it. Written to schemas/agent.schema.json. */
export function agentJsonSchema(builtIns: BuiltInRules): Record<string, unknown> {
  const named = {
    type: ['object', 'null'],
    description: 'Plugins of the agent: built-in ones by their name, others under custom.',
    properties: {
      ...Object.fromEntries(Object.entries(builtIns).map(([name, rule]) => [name, builtInJson(name, rule)])),
      custom: json(z.array(customPluginSchema).nullable().describe('Plugins with a module of their own.')),
      registry: json(
        z
          .array(registryPluginSchema)
          .nullable()
          .describe('Built-in plugins by type, as a later version of upstream has them.'),
      ),
    },
    additionalProperties: false,
  };
  const ordered = {
    ...json(z.array(z.union([hookSchema, customPluginSchema.partial({ priority: true })]))),
    type: 'array',
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Agent file',
    description: 'An agent: its plugins, model, storage and tools.',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'Address of this schema.' },
      plugins: {
        description: 'Plugins of the agent: by name, or as an ordered list.',
        anyOf: [ordered, named],
      },
      hooks: {
        description: "Plugins in upstream's current form: an ordered list, or the same as plugins.",
        anyOf: [ordered, named],
      },
      llm: json(llmSchema.describe('The model, one of those in your own config.')),
      systemPrompt: json(
        systemPromptSchema.describe('The system prompt: one text, or several ordered by priority.'),
      ),
      storage: json(storageSchema.describe('Storage of plugins.')),
      toolConfirmation: json(toolConfirmationSchema.describe('Who decides about calls that need approval.')),
      permissions: json(
        toolConfirmationSchema.describe(
          'The same as toolConfirmation, as later versions of upstream call it.',
        ),
      ),
      internalTools: json(
        internalToolsSchema.describe(
          'Built-in tools to keep, or false for none. Does not affect tools of plugins.',
        ),
      ),
      sessions: json(sessionsSchema.describe('Conversations.')),
      mcpServers: json(
        z
          .record(z.string(), mcpServerSchema)
          .describe('MCP servers. None starts before you have agreed to what it runs and brings.'),
      ),
      ...Object.fromEntries(
        Object.entries(idleKeys).map(([key, instead]) => [
          key,
          { description: `No effect here.${instead === '' ? '' : ` ${instead}`}` },
        ]),
      ),
    },
    additionalProperties: false,
  };
}

/** The options of a built-in and the keys that every plugin has. */
function builtInJson(name: string, { schema, defaults }: BuiltInRule): Record<string, unknown> {
  const own = json(schema);
  const run = json(z.strictObject(runShape));
  const properties = { ...propertiesOf(own), ...propertiesOf(run) };
  const stated = { enabled: true, blocking: defaults.blocking, priority: defaults.priority, timeout: 5_000 };
  return {
    type: ['object', 'null'],
    description: `The built-in plugin ${name}. Enabled if this key is present.`,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => {
        const held = Object.hasOwn(stated, key) ? stated[key as keyof typeof stated] : undefined;
        return [key, held === undefined || !isRecord(value) ? value : { ...value, default: held }];
      }),
    ),
    ...(defaults.priority === undefined ? { required: ['priority'] } : {}),
    additionalProperties: false,
  };
}

function propertiesOf(schema: Record<string, unknown>): Record<string, unknown> {
  return isRecord(schema['properties']) ? schema['properties'] : {};
}

function json(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
}
