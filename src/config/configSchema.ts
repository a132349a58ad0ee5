import { z } from 'zod';
import { agentSchema } from './sections/agentSection.ts';
import { agentsSchema, bindingsSchema } from './sections/agentsSection.ts';
import { approvalsSchema } from './sections/approvalsSection.ts';
import { channelsSchema } from './sections/channelsSection.ts';
import { checkpointsSchema } from './sections/checkpointsSection.ts';
import { dextoSchema } from './sections/dextoSection.ts';
import { execSchema } from './sections/execSection.ts';
import { gatewaySchema } from './sections/gatewaySection.ts';
import { keyReference } from './sections/keyReference.ts';
import { mcpSchema } from './sections/mcpSection.ts';
import { memorySchema } from './sections/memorySection.ts';
import { sandboxSchema } from './sections/sandboxSection.ts';
import { scheduleSchema } from './sections/scheduleSection.ts';
import { sessionSchema } from './sections/sessionSection.ts';
import { groupsSchema, toolPolicyShape } from './sections/toolPolicySchema.ts';
import { messagesSchema } from './sections/messagesSection.ts';
import { ttsSchema } from './sections/ttsSection.ts';
import { webSchema } from './sections/webSection.ts';

const timeoutMs = z.int().positive().max(600_000);

const pluginEntry = z.strictObject({
  enabled: z.boolean().optional().describe('Enables or disables this plugin.'),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The plugin's own settings; its manifest's configSchema checks them."),
  hooks: z
    .strictObject({
      allowConversationAccess: z.boolean().optional().describe('Lets the plugin read prompts and answers.'),
      allowPromptInjection: z.boolean().optional().describe('False strips what the plugin adds to prompts.'),
      timeoutMs: timeoutMs.optional().describe('Time limit for each hook of this plugin, in milliseconds.'),
      timeouts: z
        .record(z.string(), timeoutMs)
        .optional()
        .describe('Time limit by hook name, in milliseconds.'),
    })
    .optional(),
});

const model = z.strictObject({
  id: z.string().min(1).describe("The provider's name for the model."),
  name: z.string().min(1).optional().describe('The name shown in the model picker.'),
  contextWindow: z.int().positive().optional().describe('Context window, in tokens. Default 32768.'),
  maxOutputTokens: z.int().positive().optional().describe('Tokens of one answer. Default 4096.'),
  toolCalling: z.boolean().optional().describe('False for a model that can not call tools. Default true.'),
  imageInput: z.boolean().optional().describe('True for a model that reads images. Default false.'),
  thinking: z.boolean().optional().describe('True for a model that can be asked to think. Default false.'),
  cost: z
    .strictObject({
      input: z.number().min(0),
      output: z.number().min(0),
      cacheRead: z.number().min(0).optional(),
      cacheWrite: z.number().min(0).optional(),
    })
    .optional()
    .describe('US dollars per million tokens; without it no cost is shown.'),
});

const provider = z.strictObject({
  api: z
    .enum(['openai-compatible', 'anthropic', 'google'])
    .describe('The protocol that the server speaks. OpenAI itself is openai-compatible.'),
  baseUrl: z
    .url({ protocol: /^https?$/u })
    .describe('Address up to and including the version, such as http://localhost:11434/v1.'),
  apiKey: keyReference.optional(),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/u), z.string())
    .optional()
    .describe('Headers for every request. Do not put keys here.'),
  models: z.array(model).min(1),
});

/** The one config schema; user and workspace `config.jsonc` have the same shape (docs/config.md, architecture: state on disk). */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('The model to use when the chat does not name one: built-in or provider/model.'),
  models: z
    .strictObject({ providers: z.record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/u), provider).optional() })
    .optional()
    .describe('Models in addition to the built-in one.'),
  agent: agentSchema.optional().describe('Defaults for all agents.'),
  tools: z
    .strictObject({
      ...toolPolicyShape,
      exec: execSchema.optional().describe('Commands.'),
      web: webSchema.optional().describe('The web.'),
    })
    .optional()
    .describe('Tool policy, and settings of single tools.'),
  agents: agentsSchema.optional().describe('Agents by id; main always exists.'),
  bindings: bindingsSchema
    .optional()
    .describe('Routes messages to agents; the default agent answers the rest.'),
  session: sessionSchema.optional().describe('Conversations.'),
  dexto: dextoSchema.optional().describe('The agent file with Dexto plugins.'),
  groups: groupsSchema.optional().describe('Settings by group of a channel.'),
  sandbox: sandboxSchema.optional().describe('The container that commands can run in.'),
  approvals: approvalsSchema.optional().describe('Approval of tool calls.'),
  checkpoints: checkpointsSchema.optional().describe('Copies of files before the agent changes them.'),
  memory: memorySchema.optional().describe("The index over the workspace's markdown."),
  mcp: mcpSchema.optional().describe('MCP servers, whose tools agents get once you have agreed to them.'),
  schedule: scheduleSchema.optional().describe('Scheduled jobs.'),
  channels: channelsSchema.optional().describe('Message channels by id; none runs unless it is enabled.'),
  messages: messagesSchema.optional().describe('Settings for all channels.'),
  tts: ttsSchema.optional().describe('Text to speech.'),
  gateway: gatewaySchema.optional().describe('HTTP server for programs on this machine.'),
  plugins: z
    .strictObject({
      enabled: z
        .union([z.boolean(), z.array(z.string())])
        .optional()
        .describe('False disables all plugins. A list means the same as allow.'),
      disabled: z.array(z.string()).optional().describe('Alias of deny.'),
      allow: z
        .array(z.string())
        .optional()
        .describe('Ids of the plugins that may load. Empty or missing: all.'),
      deny: z.array(z.string()).optional().describe('Ids of plugins that never load.'),
      required: z
        .array(z.string())
        .optional()
        .describe('Ids of plugins without which the agent does not run.'),
      load: z
        .strictObject({ paths: z.array(z.string()).optional() })
        .optional()
        .describe('Additional plugin files or folders: absolute paths, or paths that start with ~/.'),
      slots: z
        .record(z.string(), z.string())
        .optional()
        .describe('Which plugin fills an exclusive slot; none leaves it empty.'),
      entries: z.record(z.string(), pluginEntry).optional().describe('Settings by plugin id.'),
    })
    .optional(),
  hooks: z
    .strictObject({
      internal: z
        .strictObject({
          enabled: z.boolean().optional().describe('True lets your own hooks run, false none.'),
          entries: z
            .record(
              z.string(),
              z.looseObject({
                enabled: z.boolean().optional().describe('Enables or disables this hook.'),
                env: z
                  .record(z.string(), z.string())
                  .optional()
                  .describe('Values that the hook gets as event.context.env.'),
              }),
            )
            .optional()
            .describe('Settings by hook name; a hook may read keys of its own here.'),
          load: z
            .strictObject({ extraDirs: z.array(z.string()).optional().describe('Additional hook folders.') })
            .optional(),
        })
        .optional()
        .describe('Operator hooks: folders with a HOOK.md.'),
    })
    .optional(),
});

/** What one config file says. */
export type ConfigFile = z.infer<typeof configSchema>;

/** JSON Schema of the file for editors (`contributes.jsonValidation`). */
export function configJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' });
}
