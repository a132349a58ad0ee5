import { z } from 'zod';
import { inertLine } from '../base/text.ts';

/** When a job is due. Times are milliseconds since the epoch. */
const whenSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('at'), at: z.number() }),
  z.strictObject({ kind: z.literal('every'), everyMs: z.int().positive(), anchor: z.number() }),
  z.strictObject({ kind: z.literal('cron'), expr: z.string().min(1), tz: z.string().min(1).optional() }),
]);

/** What becomes of times that passed while nothing ran: none of them runs, one run makes up for all, each runs. */
export const missedRunPolicies = ['skip', 'once', 'all'] as const;

export type MissedRunPolicy = (typeof missedRunPolicies)[number];

/** Where the answer of a job goes, beside its session: somebody whom the user named. Upstream's words. */
const deliverySchema = z.strictObject({
  mode: z.literal('announce'),
  channel: z.string().min(1).max(40),
  /** In the channel's words. */
  to: z.string().min(1).max(200),
  accountId: z.string().min(1).max(200).optional(),
});

export type Delivery = Readonly<z.infer<typeof deliverySchema>>;

const jobSchema = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/u),
  name: z.string().min(1).max(100),
  description: z.string().max(500).optional(),
  agentId: z.string().min(1),
  isEnabled: z.boolean(),
  when: whenSchema,
  missed: z.enum(missedRunPolicies),
  prompt: z.string().min(1).max(20_000),
  /** The session that each run goes on with; absent, each has its own. */
  sessionId: z.string().optional(),
  /** Lower than the config's; absent, those. */
  limits: z
    .strictObject({
      maxTokens: z.int().positive().optional(),
      maxCost: z.number().positive().optional(),
      maxMs: z.number().positive().optional(),
    })
    .optional(),
  /** Only of jobs that the user added or agreed to. */
  delivery: deliverySchema.optional(),
  /** Goes once it has run well; only of a job that runs once. */
  deleteAfterRun: z.boolean().optional(),
  /** Who added it: a person, an agent with a person's yes, the config, or a plugin. */
  by: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['user', 'agent', 'heartbeat']) }),
    z.strictObject({
      kind: z.literal('plugin'),
      pluginId: z.string(),
      tag: z.string().optional(),
      declarationKey: z.string().optional(),
    }),
  ]),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Times up to and including this one count as handled: it was added, changed or resumed then. */
  since: z.number(),
});

/** Something that the agent does by itself at some time. */
export type Job = Readonly<z.infer<typeof jobSchema>>;

/** What people see of a job that was given no name of its own. Pure. */
export function nameOfPrompt(prompt: string): string {
  return inertLine(prompt, 60);
}

/** When a job is due. */
export type When = Job['when'];

/** Who added a job. */
export type JobOwner = Job['by'];

const runSchema = z.strictObject({
  version: z.literal(1),
  jobId: z.string(),
  /** The time that it was due, or when somebody started it. */
  slot: z.number(),
  kind: z.enum(['due', 'manual']),
  /** The process that has it. */
  owner: z.string(),
  startedAt: z.number(),
  /** What keeps it from working now: an answer of a person, or a place among those that work. */
  waitsFor: z.enum(['answer', 'place']).optional(),
  /** Due times before `slot` that this run made up for, or that were skipped with it. */
  missed: z.number().optional(),
  endedAt: z.number().optional(),
  /** Absent while it runs, or after its process has died. */
  status: z.enum(['ok', 'error', 'skipped', 'interrupted']).optional(),
  error: z.string().optional(),
  /** The first words of the answer. */
  summary: z.string().optional(),
  /** Whether the answer went out, where the job wants that; why not. */
  deliveryStatus: z.enum(['delivered', 'not-delivered']).optional(),
  deliveryError: z.string().optional(),
  sessionId: z.string().optional(),
  sessionKey: z.string().optional(),
  runId: z.string().optional(),
  /** `provider/model` that answered. */
  model: z.string().optional(),
  tokens: z.number().optional(),
  /** US dollars, where the price is known. */
  cost: z.number().optional(),
});

/** One time that a job ran, runs or was skipped; on disk before it starts. */
export type JobRun = Readonly<z.infer<typeof runSchema>>;

/** How a run ended. */
export type RunStatus = NonNullable<JobRun['status']>;

/** A job from its file; undefined where the text says none. */
export function readJob(value: unknown): Job | undefined {
  return jobSchema.safeParse(value).data;
}

/** A run from its file; undefined where the text says none. */
export function readRun(value: unknown): JobRun | undefined {
  return runSchema.safeParse(value).data;
}
