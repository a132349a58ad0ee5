import { z } from 'zod';
import type { ModelSettings } from '../../contracts/model.ts';
import { modelSettingsShape, settingsOf } from './agentSection.ts';
import { keysWhere, type ConfigSection } from './section.ts';
import { agentToolsSchema } from './toolPolicySchema.ts';

const agentId = /^[a-z0-9][a-z0-9_-]{0,63}$/u;

const subagentsSchema = z.strictObject({
  allowAgents: z
    .array(z.string().min(1))
    .optional()
    .describe('Agents that it may start in addition to itself; * means all. Default: none.'),
  maxDepth: z
    .int()
    .min(0)
    .max(5)
    .optional()
    .describe('Maximum depth of subagents. Default 1: subagents start no others.'),
  maxChildren: z
    .int()
    .positive()
    .max(20)
    .optional()
    .describe('Maximum number of subagents that run at once. Default 4.'),
});

const agentSchema = z.strictObject({
  name: z.string().min(1).max(60).optional().describe('Display name. Default: the id.'),
  description: z
    .string()
    .max(300)
    .optional()
    .describe('What the agent is for; shown to people and to other agents.'),
  default: z.boolean().optional().describe('True for the agent that answers if no binding matches.'),
  model: z.string().min(1).optional().describe('provider/model. Default: the model of the chat.'),
  fallbacks: z.array(z.string().min(1)).optional().describe('Overrides agent.fallbacks.'),
  ...modelSettingsShape,
  instructions: z.string().max(20_000).optional().describe('Text added to the system prompt of this agent.'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('The workspace folder it works in: a name or a path. Default: the first one.'),
  subagents: subagentsSchema.optional().describe('Subagents.'),
  tools: agentToolsSchema
    .optional()
    .describe('Tool policy of this agent; its profile replaces the general one.'),
});

/** By agent id; the agent `main` is always there. */
export const agentsSchema = z.record(z.string().regex(agentId), agentSchema);

/** Which agent answers where; upstream's names. */
export const bindingsSchema = z.array(
  z.strictObject({
    agentId: z.string().regex(agentId).describe('The agent that answers.'),
    match: z
      .strictObject({
        channel: z.string().min(1).describe('vscode, cli, or the channel of a plugin.'),
        accountId: z.string().min(1).optional().describe('An account of the channel; * matches any.'),
        peer: z
          .strictObject({
            kind: z.enum(['direct', 'group', 'channel']).describe('A person, a group or a channel.'),
            id: z.string().min(1),
          })
          .optional()
          .describe('The other party of the conversation.'),
        guildId: z.string().min(1).optional().describe('The server or team that the group belongs to.'),
        roles: z
          .array(z.string().min(1))
          .min(1)
          .optional()
          .describe('Roles on that server; the sender must have one of them.'),
        teamId: z.string().min(1).optional().describe('The team or organisation of the account.'),
      })
      .describe('What a message must match; the most specific binding wins.'),
    model: z.string().min(1).optional().describe('provider/model; overrides that of the agent.'),
  }),
);

/** An agent as the config has it; `main` without anything where the config is silent. */
export interface AgentEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isDefault: boolean;
  /** `provider/model`; undefined takes that of the chat. */
  readonly model: string | undefined;
  readonly fallbacks: readonly string[] | undefined;
  readonly settings: ModelSettings;
  readonly instructions: string;
  /** Name or path of a workspace folder, as written. */
  readonly workspace: string | undefined;
  readonly subagents: {
    readonly allowAgents: readonly string[];
    readonly maxDepth: number;
    readonly maxChildren: number;
  };
}

export type Binding = z.infer<typeof bindingsSchema>[number];

export interface AgentsConfig {
  /** `main` first, then as written. Exactly one is the default. */
  readonly list: readonly AgentEntry[];
  readonly bindings: readonly Binding[];
  /** Those that also want to be the default one. */
  readonly otherDefaults: readonly string[];
}

interface AgentsInput {
  readonly agents?: z.infer<typeof agentsSchema> | undefined;
  readonly bindings?: readonly Binding[] | undefined;
}

/** A workspace's file can give agents fewer tools (src/tools/policy), and nothing else. */
export const agentsSection: ConfigSection<AgentsInput, AgentsConfig> = {
  resolve(input = {}) {
    const agents: z.infer<typeof agentsSchema> = { main: {}, ...input.agents };
    const [chosen = 'main', ...otherDefaults] = Object.entries(agents)
      .filter(([, agent]) => agent.default === true)
      .map(([id]) => id);
    return {
      list: Object.entries(agents).map(([id, agent]) => entryOf(id, agent, id === chosen)),
      bindings: input.bindings ?? [],
      otherDefaults,
    };
  },
  tighten: (holds) => holds,
  ignored: (input) =>
    keysWhere({
      agents:
        Object.values(input.agents ?? {}).some((agent) =>
          Object.keys(agent).some((key) => key !== 'tools'),
        ) && ' (all but tools)',
      bindings: input.bindings !== undefined,
    }),
};

function entryOf(id: string, input: z.infer<typeof agentSchema>, isDefault: boolean): AgentEntry {
  const { subagents } = input;
  return {
    id,
    name: input.name ?? id,
    description: input.description ?? '',
    isDefault,
    model: input.model,
    fallbacks: input.fallbacks,
    settings: settingsOf(input),
    instructions: input.instructions ?? '',
    workspace: input.workspace,
    subagents: {
      allowAgents: subagents?.allowAgents ?? [],
      maxDepth: subagents?.maxDepth ?? 1,
      maxChildren: subagents?.maxChildren ?? 4,
    },
  };
}
