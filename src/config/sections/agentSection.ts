import { z } from 'zod';
import type { ModelSettings, ThinkingLevel } from '../../contracts/model.ts';
import { keysWhere, type ConfigSection } from './section.ts';
import { thinkingLevels } from './thinkingLevels.ts';

/** What can be set for every agent and for a single one. */
export const modelSettingsShape = {
  temperature: z.number().min(0).max(2).optional().describe("0 to 2. Default: the model's own."),
  maxTokens: z.int().positive().optional().describe("Tokens of one answer. Default: the model's own limit."),
  thinking: z.enum(thinkingLevels).optional().describe('Thinking effort, if the model supports it.'),
};

const limitsSchema = z.strictObject({
  maxToolCalls: z
    .int()
    .positive()
    .max(10_000)
    .optional()
    .describe('Maximum tool calls in one turn. Default 200.'),
  maxMinutes: z
    .number()
    .positive()
    .max(1_440)
    .optional()
    .describe('Maximum minutes of one turn, without the time it waits for you. Default 60.'),
  maxTokens: z
    .int()
    .positive()
    .optional()
    .describe('Maximum tokens of all model calls of one turn. Default: no limit.'),
  maxCost: z
    .number()
    .positive()
    .optional()
    .describe(
      'Maximum cost of one turn in US dollars, if the price of the model is known. Default: no limit.',
    ),
});

const compactionSchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe('False disables automatic compaction; /compact still works. Default true.'),
  at: z
    .number()
    .min(0.3)
    .max(0.95)
    .optional()
    .describe('Share of the context window at which the conversation is compacted. Default 0.8.'),
  keepTokens: z
    .int()
    .min(1_000)
    .optional()
    .describe('Tokens of the latest messages that are kept verbatim. Default 20000.'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('The model that writes summaries. Default: the model of the chat.'),
  provider: z
    .string()
    .min(1)
    .optional()
    .describe("Id of a plugin's compaction provider, which writes summaries instead of the model."),
});

const skillsSchema = z.strictObject({
  enabled: z.boolean().optional().describe('False disables skills. Default true.'),
  folders: z
    .array(z.string().min(1))
    .optional()
    .describe('Additional skill folders; ~/ is your home folder.'),
});

export const agentSchema = z.strictObject({
  maxRounds: z.int().positive().max(500).optional().describe('Maximum model calls in one turn. Default 40.'),
  instructions: z.string().max(20_000).optional().describe('Text added to the system prompt.'),
  ...modelSettingsShape,
  fallbacks: z.array(z.string().min(1)).optional().describe('Fallback models, in order: provider/model.'),
  imageModel: z
    .string()
    .min(1)
    .optional()
    .describe('The model that reads images for models that can not: provider/model.'),
  limits: limitsSchema.optional().describe('Limits of one turn.'),
  compaction: compactionSchema.optional().describe('Compaction of long conversations.'),
  skills: skillsSchema.optional().describe('Folders with a SKILL.md.'),
});

/** What one turn may use; an undefined field has no limit. */
export interface TurnLimits {
  /** Model answers. */
  readonly maxRounds: number;
  readonly maxToolCalls: number;
  /** Milliseconds, without the time that questions wait for the user. */
  readonly maxMs: number;
  readonly maxTokens: number | undefined;
  /** US dollars. */
  readonly maxCost: number | undefined;
}

export interface CompactionConfig {
  readonly enabled: boolean;
  /** Part of the window, 0 to 1. */
  readonly at: number;
  readonly keepTokens: number;
  readonly model: string | undefined;
  /** Id of a plugin's provider, which writes the summary in the model's place. */
  readonly provider: string | undefined;
}

export interface AgentConfig {
  readonly instructions: string;
  readonly settings: ModelSettings;
  readonly fallbacks: readonly string[];
  readonly imageModel: string | undefined;
  readonly limits: TurnLimits;
  readonly compaction: CompactionConfig;
  readonly skills: { readonly enabled: boolean; readonly folders: readonly string[] };
}

type AgentInput = z.infer<typeof agentSchema>;

/** A workspace's file can only lower limits and switch skills off. */
export const agentSection: ConfigSection<AgentInput, AgentConfig> = {
  resolve: (input = {}) => ({
    instructions: input.instructions ?? '',
    settings: settingsOf(input),
    fallbacks: input.fallbacks ?? [],
    imageModel: input.imageModel,
    limits: {
      maxRounds: input.maxRounds ?? 40,
      maxToolCalls: input.limits?.maxToolCalls ?? 200,
      maxMs: (input.limits?.maxMinutes ?? 60) * 60_000,
      maxTokens: input.limits?.maxTokens,
      maxCost: input.limits?.maxCost,
    },
    compaction: {
      enabled: input.compaction?.enabled ?? true,
      at: input.compaction?.at ?? 0.8,
      keepTokens: input.compaction?.keepTokens ?? 20_000,
      model: input.compaction?.model,
      provider: input.compaction?.provider,
    },
    skills: { enabled: input.skills?.enabled ?? true, folders: input.skills?.folders ?? [] },
  }),
  tighten: (holds, input) => ({
    ...holds,
    limits: {
      maxRounds: Math.min(holds.limits.maxRounds, input.maxRounds ?? Infinity),
      maxToolCalls: Math.min(holds.limits.maxToolCalls, input.limits?.maxToolCalls ?? Infinity),
      maxMs: Math.min(holds.limits.maxMs, (input.limits?.maxMinutes ?? Infinity) * 60_000),
      maxTokens: lower(holds.limits.maxTokens, input.limits?.maxTokens),
      maxCost: lower(holds.limits.maxCost, input.limits?.maxCost),
    },
    skills: { ...holds.skills, enabled: holds.skills.enabled && input.skills?.enabled !== false },
  }),
  ignored: (input) =>
    keysWhere({
      'agent.instructions': input.instructions !== undefined,
      'agent.temperature': input.temperature !== undefined,
      'agent.maxTokens': input.maxTokens !== undefined,
      'agent.thinking': input.thinking !== undefined,
      'agent.fallbacks': input.fallbacks !== undefined,
      'agent.imageModel': input.imageModel !== undefined,
      'agent.compaction': input.compaction !== undefined,
      'agent.skills.folders': input.skills?.folders !== undefined,
    }),
};

/** The settings of a model that an agent's part of the config names. */
export function settingsOf(input: {
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly thinking?: ThinkingLevel | undefined;
}): ModelSettings {
  const { temperature, maxTokens, thinking } = input;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

function lower(holds: number | undefined, input: number | undefined): number | undefined {
  return holds === undefined || input === undefined ? (holds ?? input) : Math.min(holds, input);
}
