import { z } from 'zod';

const text = z.string().min(1);

/** `llm`; upstream's keys. */
export const llmSchema = z.strictObject({
  provider: text.describe(
    "The provider's name, such as anthropic, openai, google or one of your own config.",
  ),
  model: text.describe("The provider's name for the model."),
  apiKey: text.optional().describe('No effect: keys are kept where your own config says.'),
  baseURL: text.optional().describe('No effect: addresses of providers stand in your own config.'),
  maxIterations: z
    .int()
    .positive()
    .optional()
    .describe('Maximum model calls in one turn; it can only lower the limit of your config.'),
  maxInputTokens: z
    .int()
    .positive()
    .optional()
    .describe('Maximum tokens of one request; only reported to plugins.'),
  maxOutputTokens: z.int().positive().optional().describe('Tokens of one answer.'),
  temperature: z.number().min(0).max(2).optional().describe("0 to 2. Default: the model's own."),
  router: z.string().optional().describe('No effect here.'),
  reasoning: z.unknown().optional().describe('No effect here.'),
  allowedMediaTypes: z.array(z.string()).optional().describe('No effect here.'),
});

const contributor = {
  id: text.describe('Id of this text.'),
  priority: z.int().describe('Lower comes first.'),
  enabled: z.boolean().optional().meta({ description: 'False leaves it out.', default: true }),
};

/** `systemPrompt`: one text, or several by priority. */
export const systemPromptSchema = z.union([
  z.string(),
  z.strictObject({
    contributors: z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({
            ...contributor,
            type: z.literal('static').describe('A text.'),
            content: z.string().describe('The text.'),
          }),
          z.strictObject({
            ...contributor,
            type: z.literal('dynamic').describe('A generated text.'),
            source: text.describe('Source of the text, such as dateTime.'),
          }),
          z.strictObject({
            ...contributor,
            type: z.literal('file').describe('Contents of files.'),
            files: z
              .array(text)
              .min(1)
              .optional()
              .describe('Paths, relative to the folder of this file; ${{dexto.agent_dir}} is that folder.'),
            file: text.optional().describe('The same for one file.'),
            options: z.record(z.string(), z.unknown()).optional().describe('No effect here.'),
          }),
          z.strictObject({
            ...contributor,
            type: z.literal('memory').describe('Memories. No effect here: memory is searched instead.'),
            options: z.record(z.string(), z.unknown()).optional().describe('No effect here.'),
          }),
        ]),
      )
      .describe('Texts of the system prompt.'),
  }),
]);

const toolNames = z.array(text);

/** `toolConfirmation`, or `permissions` as later versions of upstream have it. */
export const toolConfirmationSchema = z.strictObject({
  mode: z
    .enum(['manual', 'event-based', 'auto-approve', 'auto-deny'])
    .optional()
    .describe(
      'What happens with a call that needs approval. manual and event-based ask. In a workspace it can only be stricter than your config.',
    ),
  timeout: z
    .int()
    .positive()
    .optional()
    .describe('Timeout of an approval, in milliseconds; after it, the call is denied.'),
  allowedToolsStorage: z
    .enum(['memory', 'storage'])
    .optional()
    .describe('No effect: what you answer decides how long it is remembered.'),
  toolPolicies: z
    .strictObject({
      alwaysAllow: toolNames.optional().describe('No effect: approvals are remembered from your answers.'),
      alwaysDeny: toolNames.optional().describe('Tools that may not be used.'),
    })
    .optional()
    .describe('Rules by tool name.'),
});

/** `internalTools`: a list, or false for none. */
export const internalToolsSchema = z.union([toolNames, z.literal(false)]);

export const sessionsSchema = z.strictObject({
  maxSessions: z.int().positive().optional().describe('No effect here.'),
  sessionTTL: z
    .int()
    .positive()
    .optional()
    .describe(
      'Idle time after which a new session starts, in milliseconds; only in a file that your own config names.',
    ),
});

const server = {
  enabled: z.boolean().optional().meta({ description: 'False disables this server.', default: true }),
  timeout: z.int().positive().optional().meta({ description: 'Milliseconds.', default: 30_000 }),
  connectionMode: z.enum(['lenient', 'strict']).optional().describe('No effect here.'),
};
const remote = {
  ...server,
  url: z
    .string()
    .regex(/^(?:https?:\/\/|\$)/iu, 'expected an address with http:// or https://')
    .describe('Address of the server.'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers of each request.'),
};

/** One of `mcpServers`. */
export const mcpServerSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...server,
    type: z.literal('stdio').describe('A local program, over stdio.'),
    command: text.describe('The program.'),
    args: z.array(z.string()).optional().describe('Its arguments.'),
    env: z.record(z.string(), z.string()).optional().describe('Its environment variables.'),
  }),
  z.strictObject({
    ...remote,
    type: z.literal('sse').describe('A server at an address, over server-sent events.'),
  }),
  z.strictObject({
    ...remote,
    type: z.literal('http').describe('A server at an address, over streamable HTTP.'),
  }),
]);
