import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

/** What becomes of a question that nobody is there to answer. */
const answersToJobs = ['review', 'deny'] as const;

export const scheduleSchema = z.strictObject({
  enabled: z.boolean().optional().describe('False starts no job automatically. Default true.'),
  questions: z
    .enum(answersToJobs)
    .optional()
    .describe(
      'What happens when a job needs approval: review (default) lets it wait in the Approvals view, deny denies it.',
    ),
  maxTokens: z.int().positive().optional().describe('Maximum tokens of one run. Default 200000.'),
  maxCost: z
    .number()
    .positive()
    .optional()
    .describe('Maximum cost of one run in US dollars, if the price of the model is known. Default 1.'),
  maxMinutes: z
    .number()
    .positive()
    .max(1_440)
    .optional()
    .describe('Maximum minutes of one run, without the time it waits for you. Default 10.'),
  heartbeat: z
    .strictObject({
      everyMinutes: z
        .number()
        .min(1)
        .max(10_080)
        .optional()
        .describe(
          'Interval, in minutes, at which the agent checks whether something needs you. Default: never.',
        ),
      agent: z.string().min(1).optional().describe('The agent that checks. Default main.'),
      prompt: z.string().min(1).max(20_000).optional().describe('The prompt of each heartbeat turn.'),
    })
    .optional()
    .describe('Periodic turns.'),
});

export interface ScheduleConfig {
  /** False where no job starts by itself. */
  readonly enabled: boolean;
  readonly questions: (typeof answersToJobs)[number];
  /** The most that one run may use. */
  readonly limits: {
    readonly maxTokens: number;
    /** US dollars. */
    readonly maxCost: number;
    readonly maxMs: number;
  };
  /** Undefined where there are no heartbeat turns. */
  readonly heartbeat: HeartbeatConfig | undefined;
}

export interface HeartbeatConfig {
  readonly everyMs: number;
  readonly agentId: string;
  readonly prompt: string;
}

const heartbeatPrompt =
  'Look whether something in this workspace needs attention, and say so in a few sentences. Start nothing that was not asked for. If nothing needs attention, answer with NO_REPLY.';

/** A workspace's file can only switch jobs off, ask less of the user, and lower what a run may use. */
export const scheduleSection: ConfigSection<z.infer<typeof scheduleSchema>, ScheduleConfig> = {
  resolve: (input = {}) => {
    const { everyMinutes, agent = 'main', prompt = heartbeatPrompt } = input.heartbeat ?? {};
    return {
      enabled: input.enabled ?? true,
      questions: input.questions ?? 'review',
      limits: {
        maxTokens: input.maxTokens ?? 200_000,
        maxCost: input.maxCost ?? 1,
        maxMs: (input.maxMinutes ?? 10) * 60_000,
      },
      heartbeat:
        everyMinutes === undefined
          ? undefined
          : { everyMs: Math.round(everyMinutes * 60_000), agentId: agent, prompt },
    };
  },
  tighten: (holds, input) => ({
    ...holds,
    enabled: holds.enabled && input.enabled !== false,
    questions: input.questions === 'deny' ? 'deny' : holds.questions,
    limits: {
      maxTokens: Math.min(holds.limits.maxTokens, input.maxTokens ?? Infinity),
      maxCost: Math.min(holds.limits.maxCost, input.maxCost ?? Infinity),
      maxMs: Math.min(holds.limits.maxMs, (input.maxMinutes ?? Infinity) * 60_000),
    },
  }),
  ignored: (input, holds) =>
    keysWhere({
      'schedule.enabled': input.enabled === true && !holds.enabled && ': true',
      'schedule.questions': input.questions === 'review' && holds.questions === 'deny',
      'schedule.heartbeat': input.heartbeat !== undefined,
    }),
};
