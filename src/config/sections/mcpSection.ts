// Threat: a cloned repository starts programs, or sends what an agent passes on to a server of its own. So a workspace's config names
// no server.
import { z } from 'zod';
import { keyReference } from './keyReference.ts';
import { keysWhere, type ConfigSection } from './section.ts';

/** What a server may be called: it is a part of its tools' names, which models take only in this form. */
const mcpServerName = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?$/u;

/** A name as the config takes it; other characters become `-`. Pure. */
export function toServerName(text: string): string {
  const plain = text
    .replace(/^@/u, '')
    .replace(/[^A-Za-z0-9]+/gu, '-')
    .slice(0, 30)
    .replace(/^-+|-+$/gu, '');
  return mcpServerName.test(plain) ? plain : 'server';
}

const before = z.string().max(200).optional().describe('Prefix, such as "Bearer ".');
const value = z.union([
  z.string(),
  z.strictObject({ env: z.string().min(1), before }),
  z.strictObject({ secret: z.string().min(1), before }),
]);
const common = {
  enabled: z.boolean().optional().describe('False disables the server. Default true.'),
  timeoutMs: z
    .int()
    .positive()
    .max(600_000)
    .optional()
    .describe('Time limit of a call, in milliseconds. Default 60000.'),
};

const program = z.strictObject({
  command: z.string().min(1).describe('The program: a name on the PATH, or an absolute path.'),
  args: z.array(z.string()).optional(),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u), value)
    .optional()
    .describe(
      'Environment variables in addition to PATH, HOME and similar ones; keys as { "env": "NAME" } or { "secret": "name" }.',
    ),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Working directory, as an absolute path. Default: the first open folder.'),
  sandbox: z
    .boolean()
    .optional()
    .describe('True runs it in a container (see `sandbox`), without network. Default false.'),
  ...common,
});

const address = z.strictObject({
  url: z.url({ protocol: /^https?$/u }).describe('Address of a server over streamable HTTP.'),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/u), value)
    .optional()
    .describe('Headers of every request; keys as { "env": "NAME" } or { "secret": "name" }.'),
  oauth: z
    .strictObject({ clientId: z.string().min(1), clientSecret: keyReference.optional() })
    .optional()
    .describe('OAuth client that you have registered yourself. Default: Pincer registers one.'),
  ...common,
});

export const mcpSchema = z.strictObject({
  servers: z
    .record(z.string().regex(mcpServerName), z.union([program, address]))
    .optional()
    .describe('Servers by name. None starts before you have agreed to what it runs.'),
  serve: z
    .strictObject({
      tools: z
        .array(z.string().min(1))
        .optional()
        .describe('Additional tools that other clients get, by name.'),
      http: z
        .boolean()
        .optional()
        .describe('True offers it over HTTP, too: POST /mcp of the gateway. Default false.'),
    })
    .optional()
    .describe('What `pincer mcp serve` offers to other clients.'),
  maxTools: z
    .int()
    .nonnegative()
    .optional()
    .describe('Above this number of MCP tools, the model finds them by search. Default 40.'),
  maxToolShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The same above this share of the context window. Default 0.1.'),
});

type McpInput = z.infer<typeof mcpSchema>;

/** A program with its arguments, or an address. */
export type McpServerConfig = NonNullable<McpInput['servers']>[string];

export interface McpConfig {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** Names of further tools that other clients get. */
  readonly serve: readonly string[];
  /** True where the gateway serves them, too. */
  readonly servesHttp: boolean;
  readonly maxTools: number;
  readonly maxToolShare: number;
}

export const mcpSection: ConfigSection<McpInput, McpConfig> = {
  resolve: (input) => ({
    servers: input?.servers ?? {},
    serve: input?.serve?.tools ?? [],
    servesHttp: input?.serve?.http ?? false,
    maxTools: input?.maxTools ?? 40,
    maxToolShare: input?.maxToolShare ?? 0.1,
  }),
  tighten: (holds) => holds,
  ignored: (input) => keysWhere({ mcp: Object.keys(input).length > 0 }),
};
