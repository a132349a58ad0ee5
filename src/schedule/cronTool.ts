import { z } from 'zod';
import { inertLine } from '../base/text.ts';
import type { AgentTool, PreparedCall, ToolResult, Turn } from '../contracts/tool.ts';
import { createCoreTool, textResult } from '../tools/core/coreTool.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { missedRunPolicies, type Delivery, type Job, type JobRun } from './job.ts';
import { describeWhen } from './readWhen.ts';
import type { JobState, JobInput, Schedule } from './schedule.ts';
import { jobInvalid } from './scheduleErrors.ts';

const actions = ['status', 'list', 'add', 'update', 'remove', 'run', 'runs'] as const;

const schema = z.strictObject({
  action: z.enum(actions),
  jobId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The job, as list names it; for all but status, list and add.'),
  name: z.string().min(1).max(100).optional().describe('A few words for people.'),
  message: z
    .string()
    .min(1)
    .max(20_000)
    .optional()
    .describe('What the agent is told at each run, with all that it has to know.'),
  at: z.string().min(1).max(60).optional().describe('Once: an ISO 8601 time, or from now: 20m, 2h.'),
  every: z.string().min(1).max(20).optional().describe('Again and again: 30m, 2h, 1d. At least a minute.'),
  cron: z.string().min(1).max(100).optional().describe('Cron expression of five fields: 0 9 * * 1-5.'),
  tz: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe("Time zone of cron, such as Europe/Vienna. Default: the machine's."),
  missed: z
    .enum(missedRunPolicies)
    .optional()
    .describe('Times that pass while nothing runs: skip them, make up for them once (default), or run all.'),
  session: z
    .enum(['isolated', 'current'])
    .optional()
    .describe('isolated (default) gives each run a session of its own, current goes on with this one.'),
  deleteAfterRun: z.boolean().optional().describe('Removes a job that ran once and well. Default false.'),
  maxTokens: z.int().positive().optional().describe('Tokens of one run, at most.'),
  maxCost: z.number().positive().optional().describe('US dollars of one run, at most.'),
  maxMinutes: z.number().positive().optional().describe('Minutes of one run, at most.'),
  enabled: z.boolean().optional().describe('False pauses the job.'),
  delivery: z
    .strictObject({
      mode: z.enum(['announce', 'none']),
      channel: z.string().min(1).max(40).optional(),
      to: z.string().min(1).max(200).optional(),
      accountId: z.string().min(1).max(200).optional(),
    })
    .optional()
    .describe(
      'announce sends the answer of each run by a message channel to somebody, too; only where the user asked for it.',
    ),
});

type CronParams = z.infer<typeof schema>;

interface CronToolDeps {
  readonly schedule: Pick<
    Schedule,
    'list' | 'get' | 'add' | 'update' | 'remove' | 'runNow' | 'history' | 'blocked'
  >;
  readonly layout: () => WorkspaceLayout;
}

/**
 * `cron`: scheduled jobs of this workspace (OpenClaw documentation, Automations). What changes or starts one asks, and it is offered only
 * where the user's config names it.
 */
export function createCronTool({ schedule, layout }: CronToolDeps): AgentTool {
  const tool = createCoreTool(
    {
      name: 'cron',
      label: 'Schedule',
      description:
        'Lists, adds, changes, removes and runs scheduled jobs: turns of an agent that begin by themselves at a time, in an interval or by a cron expression, while a window with this workspace is open.',
      schema,
      mayWrite: true,
      paths: () => [],
      target: ({ action, name, jobId }) => inertLine([action, name ?? jobId ?? ''].join(' '), 60),
      prepare: (params, { turn }) => prepare(schedule, params, turn),
    },
    layout,
  );
  return { ...tool, optional: true };
}

async function prepare(
  schedule: CronToolDeps['schedule'],
  params: CronParams,
  turn: Turn,
): Promise<PreparedCall> {
  switch (params.action) {
    case 'status':
      return free(async () => textResult(await statusText(schedule)));
    case 'list':
      return free(async () => {
        const jobs = await schedule.list();
        return textResult(jobs.length === 0 ? 'There are no scheduled jobs.' : jobs.map(jobLine).join('\n'), {
          jobs: jobs.map(jobDetails),
        });
      });
    case 'runs': {
      const { job } = await schedule.get(idOf(params));
      return free(async () => {
        const runs = await schedule.history(job.id);
        return textResult(
          runs.length === 0 ? 'It has not run yet.' : runs.slice(0, 20).map(runLine).join('\n'),
        );
      });
    }
    case 'add': {
      const jobInput = jobInputOf(params, turn);
      return alwaysAsking(
        `Schedule the job "${jobInput.name}"`,
        [whenText(params), deliveryText(jobInput.delivery), jobInput.prompt].filter(isSaid).join(' · '),
        async () => {
          const job = await schedule.add(jobInput, { kind: 'agent' });
          const state = await schedule.get(job.id);
          return textResult(`Added ${jobLine(state)}`, { job: jobDetails(state) });
        },
      );
    }
    case 'update': {
      const { job } = await schedule.get(idOf(params));
      const change = updateOf(params, job);
      const about = [
        whenText(change.when ?? {}),
        deliveryText(change.delivery),
        change.prompt,
        change.isEnabled === false ? 'paused' : undefined,
        deleteText(change.deleteAfterRun),
      ];
      return alwaysAsking(
        `Change the job "${job.name}"`,
        about.filter(isSaid).join(' · ') || 'its settings',
        async () => {
          await schedule.update(job.id, change);
          return textResult(`Changed ${jobLine(await schedule.get(job.id))}`);
        },
      );
    }
    case 'remove': {
      const { job } = await schedule.get(idOf(params));
      return asking(`Remove the job "${job.name}"`, describeWhen(job.when), async () => {
        await schedule.remove(job.id);
        return textResult(`Removed the job "${job.name}".`);
      });
    }
    case 'run': {
      const { job } = await schedule.get(idOf(params));
      // Threat: two jobs start each other for ever, each time with a new budget.
      const ask = turn.jobId === undefined ? asking : alwaysAsking;
      return ask(`Run the job "${job.name}" now`, job.prompt, async () => {
        const { run } = await schedule.runNow(job.id);
        const what = run.waitsFor === undefined ? 'runs' : 'waits for a free place, and then runs';
        return textResult(`The job "${job.name}" ${what}. cron (action: runs) tells what came of it.`);
      });
    }
  }
}

function free(run: () => Promise<ToolResult>): PreparedCall {
  return { effects: [], run };
}

function asking(title: string, description: string, run: () => Promise<ToolResult>): PreparedCall {
  return { effects: [{ kind: 'schedule', title, description }], run };
}

/** What the agent will be told, and when, has to be a person's wish: no mode says yes to it for all times to come. */
function alwaysAsking(title: string, description: string, run: () => Promise<ToolResult>): PreparedCall {
  return { effects: [{ kind: 'schedule', title, description, isAlwaysAsked: true }], run };
}

function idOf({ jobId, action }: CronParams): string {
  if (jobId === undefined) throw jobInvalid(`${action} needs a jobId`);
  return jobId;
}

function jobInputOf(params: CronParams, turn: Turn): JobInput {
  const { name, message } = params;
  if (message === undefined) throw jobInvalid('it has no message');
  const { prompt: _prompt, ...change } = changeOf(params);
  return {
    ...change,
    name: name ?? inertLine(message, 40),
    prompt: message,
    when: whenOf(params),
    ...(turn.agentId === undefined ? {} : { agentId: turn.agentId }),
    ...(params.session === 'current' ? { sessionId: turn.sessionId } : {}),
    ...(params.deleteAfterRun === undefined ? {} : { deleteAfterRun: params.deleteAfterRun }),
  };
}

function changeOf(params: CronParams): Partial<JobInput> {
  const { name, message, missed, enabled, at, every, cron, maxTokens, maxCost, maxMinutes } = params;
  const limits = {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxMinutes === undefined ? {} : { maxMs: maxMinutes * 60_000 }),
  };
  const hasWhen = at !== undefined || every !== undefined || cron !== undefined;
  return {
    ...(name === undefined ? {} : { name }),
    ...(message === undefined ? {} : { prompt: message }),
    ...(missed === undefined ? {} : { missed }),
    ...(enabled === undefined ? {} : { isEnabled: enabled }),
    ...(hasWhen ? { when: whenOf(params) } : {}),
    ...(params.delivery === undefined ? {} : { delivery: deliveryOf(params.delivery) }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

/** What an update changes. @throws PincerError `job_invalid` where that is nothing, or what only a new job can have */
function updateOf(params: CronParams, { when, name }: Job): Partial<JobInput> {
  if (params.session !== undefined)
    throw jobInvalid('the session of a job can not be changed: remove it and add it anew');
  const { tz, deleteAfterRun } = params;
  const given = changeOf(params);
  if (tz !== undefined && given.when === undefined && when.kind !== 'cron')
    throw jobInvalid(`tz needs the cron expression that it is for: "${name}" has none`);
  const change = {
    ...given,
    ...(tz !== undefined && given.when === undefined && when.kind === 'cron'
      ? { when: { cron: when.expr, tz } }
      : {}),
    ...(deleteAfterRun === undefined ? {} : { deleteAfterRun }),
  };
  if (Object.keys(change).length === 0) throw jobInvalid('update names nothing to change');
  return change;
}

function deleteText(deleteAfterRun: boolean | undefined): string | undefined {
  if (deleteAfterRun === undefined) return undefined;
  return deleteAfterRun ? 'removed once it ran well' : 'kept after it ran';
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** @throws PincerError `job_invalid` */
function deliveryOf(given: NonNullable<CronParams['delivery']>): Delivery | 'none' {
  if (given.mode === 'none') return 'none';
  const { channel, to, accountId } = given;
  if (channel === undefined || to === undefined) throw jobInvalid('its delivery needs a channel and a "to"');
  return { mode: 'announce', channel, to, ...(accountId === undefined ? {} : { accountId }) };
}

function deliveryText(delivery: JobInput['delivery']): string | undefined {
  if (delivery === undefined) return undefined;
  if (delivery === 'none') return 'its answers are sent to nobody';
  const { channel, to, accountId } = delivery;
  const account = accountId === undefined ? '' : `, account ${accountId}`;
  return `each answer is sent to ${to} by ${channel}${account}`;
}

function whenOf({ at, every, cron, tz }: CronParams): JobInput['when'] {
  return {
    ...(at === undefined ? {} : { at }),
    ...(every === undefined ? {} : { every }),
    ...(cron === undefined ? {} : { cron }),
    ...(tz === undefined ? {} : { tz }),
  };
}

function whenText({ at, every, cron, tz }: Pick<CronParams, 'at' | 'every' | 'cron' | 'tz'>): string {
  if (at !== undefined) return `once, ${at}`;
  if (every !== undefined) return `every ${every}`;
  if (cron === undefined) return '';
  return tz === undefined ? `cron ${cron}` : `cron ${cron} (${tz})`;
}

async function statusText(schedule: CronToolDeps['schedule']): Promise<string> {
  const jobs = await schedule.list();
  const why = schedule.blocked();
  const running = jobs.filter((each) => each.running !== undefined).length;
  return [
    why === undefined ? 'Jobs start by themselves.' : `No job starts by itself: ${why}.`,
    `Jobs: ${String(jobs.length)}, running: ${String(running)}.`,
  ].join(' ');
}

function jobLine({ job, next, last, running, isDone, waitsForPlace }: JobState): string {
  const state = waitsForPlace
    ? 'waits for another job to end'
    : running !== undefined
      ? running.waitsFor === undefined
        ? 'runs now'
        : 'waits for an answer'
      : isDone
        ? 'done'
        : job.isEnabled
          ? undefined
          : 'paused';
  return [
    `${job.id} "${job.name}"`,
    describeWhen(job.when),
    state ?? (next === undefined ? 'no next run' : `next ${new Date(next).toISOString()}`),
    ...(last === undefined ? [] : [`last ${last.status ?? ''}`]),
  ].join(', ');
}

function runLine({ startedAt, status, waitsFor, error, summary }: JobRun): string {
  const about = error ?? summary;
  const stands = status ?? (waitsFor === undefined ? 'runs' : 'waits');
  return `${new Date(startedAt).toISOString()} ${stands}${about === undefined ? '' : `: ${about}`}`;
}

function jobDetails({ job, next, last }: JobState): unknown {
  return {
    id: job.id,
    name: job.name,
    enabled: job.isEnabled,
    nextRunAtMs: next,
    lastRunStatus: last?.status,
  };
}
