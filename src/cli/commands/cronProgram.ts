import { Option, type Command } from 'commander';
import { formatCost } from '../../agent/context/describeUse.ts';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import {
  missedRunPolicies,
  nameOfPrompt,
  type Job,
  type JobRun,
  type MissedRunPolicy,
} from '../../schedule/job.ts';
import { describeWhen, type WhenText } from '../../schedule/readWhen.ts';
import type { JobState, JobInput, Schedule } from '../../schedule/schedule.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact, inertText } from '../inert.ts';
import { timeText, toJson, toTable, type Output } from '../output.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

type Act = (
  action: (options: CliOptions, argument: string) => Promise<ExitCode>,
) => (...given: unknown[]) => Promise<void>;

interface JobOptions extends CliOptions {
  readonly message?: string;
  readonly name?: string;
  readonly at?: string;
  readonly every?: string;
  readonly cron?: string;
  readonly tz?: string;
  readonly missed?: MissedRunPolicy;
}

interface AddOptions extends JobOptions {
  readonly message: string;
  readonly agent?: string;
  readonly announce?: boolean;
  readonly channel?: string;
  readonly to?: string;
  readonly account?: string;
}

/** Adds `pincer cron …`: the scheduled jobs of a workspace. */
export function addCronCommands(program: Command, act: Act, output: Output): void {
  const cron = program.command('cron').description('list, add and run scheduled jobs of the workspace');
  const say = (options: CliOptions, data: unknown, text: string): ExitCode => {
    output.out(options.json === true ? toJson(data) : text);
    return exitCodes.ok;
  };
  /** `work` with the job whose id is the argument or begins with it. */
  const withJob = (
    work: (runtime: Runtime, state: JobState, options: CliOptions) => Promise<ExitCode>,
  ): ReturnType<Act> =>
    act((options, text) =>
      withRuntime(options, output, async (runtime) =>
        work(runtime, await findJob(runtime.schedule, text), options),
      ),
    );
  const switchJob = (isEnabled: boolean) =>
    withJob(async ({ schedule }, { job }, options) => {
      await schedule.update(job.id, { isEnabled });
      const state = await schedule.get(job.id);
      const text = isEnabled ? `is due ${dueText(state)}` : 'is paused';
      return say(options, { job: jobData(state) }, `${inertFact(job.name)} ${text}.\n`);
    });

  cron
    .command('list')
    .description('list jobs with their next run and last outcome')
    .action(
      act((options) =>
        withRuntime(options, output, async ({ schedule }) => {
          const jobs = await schedule.list();
          const table = toTable([['ID', 'NEXT', 'LAST', 'COST', 'WHEN', 'NAME'], ...jobs.map(jobCells)]);
          return say(
            options,
            { jobs: jobs.map(jobData) },
            jobs.length === 0 ? 'No job is scheduled in this workspace.\n' : table,
          );
        }),
      ),
    );
  addJobOptions(cron.command('add'))
    .description('add a job; jobs run while a window with the workspace or pincer gateway run is open')
    .requiredOption('-m, --message <text>', 'the prompt of each run')
    .option('--agent <id>', 'the agent, as your config names it; default: main')
    .option('--announce', 'also send the answer of each run over a channel; needs --channel and --to')
    .option('--channel <id>', 'id of the channel, such as telegram')
    .option('--to <target>', 'recipient, in the format of the channel')
    .option('--account <id>', 'account of the channel; default: the only running one')
    .action(
      act((given) =>
        withRuntime(given, output, async (runtime) => {
          const state = await addJob(runtime, given as AddOptions);
          const { id, name } = state.job;
          const text = `${inertFact(name)} (${id}) is due ${dueText(state)}.\n`;
          return say(given, { job: jobData(state) }, text);
        }),
      ),
    );
  addJobOptions(cron.command('edit <id>'))
    .description('change a job; options that are not given stay as they are')
    .option('-m, --message <text>', 'the prompt of each run')
    .action(
      withJob(async ({ schedule }, { job }, options) => {
        const change = { ...nameAnew(job, options), ...changeOf(withKnownZone(job, options)) };
        if (Object.keys(change).length === 0)
          throw new PincerError('usage', 'Nothing to change was given.', {
            hint: 'Give --message, --at, --every, --cron, --name or --missed.',
          });
        await schedule.update(job.id, change);
        const state = await schedule.get(job.id);
        return say(
          options,
          { job: jobData(state) },
          `${inertFact(state.job.name)} is due ${dueText(state)}.\n`,
        );
      }),
    );
  cron
    .command('remove <id>')
    .description('remove a job and its history, by its id or a prefix of it')
    .action(
      withJob(async ({ schedule }, { job }, options) => {
        await schedule.remove(job.id);
        return say(options, { jobId: job.id, removed: true }, `${inertFact(job.name)} is removed.\n`);
      }),
    );
  cron.command('pause <id>').description('pause a job').action(switchJob(false));
  cron.command('resume <id>').description('resume a paused job').action(switchJob(true));
  cron
    .command('run <id>')
    .description('run a job now and wait until it ends; what needs approval is denied')
    .action(
      act((options, text) =>
        withRuntime({ ...options, isUnattended: true }, output, async ({ schedule }) => {
          const { job } = await findJob(schedule, text);
          const run = await withInterrupt((signal) => runToEnd(schedule, job.id, signal));
          if (run === undefined) return exitCodes.cancelled;
          const about = run.error ?? run.summary ?? 'It said nothing.';
          say(options, { run }, `${inertText(about)}\n`);
          return run.status === 'ok' ? exitCodes.ok : exitCodes.failed;
        }),
      ),
    );
  cron
    .command('history <id>')
    .description('list the runs of a job, newest first')
    .action(
      withJob(async ({ schedule }, { job }, options) => {
        const runs = await schedule.history(job.id);
        const table = toTable([['STARTED', 'OUTCOME', 'COST', 'SESSION', 'ANSWER'], ...runs.map(runCells)]);
        return say(options, { runs }, runs.length === 0 ? 'It has not run yet.\n' : table);
      }),
    );
}

/** What a job is added with, and what can be changed of it. */
function addJobOptions(command: Command): Command {
  return command
    .option('--at <time>', 'once: an ISO 8601 time, or a duration from now such as 20m')
    .option('--every <interval>', 'interval: 30m, 2h, 1d')
    .option('--cron <expression>', 'five fields, such as "0 9 * * 1-5"')
    .option('--tz <zone>', "time zone of --cron, such as Europe/Vienna; default: this machine's")
    .option('--name <text>', 'display name')
    .addOption(new Option('--missed <rule>', 'what happens to missed runs').choices(missedRunPolicies));
}

function changeOf(options: JobOptions): Partial<JobInput> {
  const { message, name, missed } = options;
  const when = whenOf(options);
  return {
    ...(message === undefined ? {} : { prompt: message }),
    ...(name === undefined ? {} : { name }),
    ...(missed === undefined ? {} : { missed }),
    ...(Object.keys(when).length === 0 ? {} : { when }),
  };
}

/** Of a cron expression and its time zone, what is not given stays. */
function withKnownZone({ when }: Job, options: JobOptions): JobOptions {
  if (when.kind !== 'cron' || options.at !== undefined || options.every !== undefined) return options;
  const { cron, tz } = options;
  if ((cron === undefined) === (tz === undefined)) return options;
  const zone = tz ?? when.tz;
  return { ...options, cron: cron ?? when.expr, ...(zone === undefined ? {} : { tz: zone }) };
}

/** A name that was made of the message follows it. */
function nameAnew({ name, prompt }: Job, { message }: JobOptions): Pick<Partial<JobInput>, 'name'> {
  return message !== undefined && name === nameOfPrompt(prompt) ? { name: nameOfPrompt(message) } : {};
}

function whenOf({ at, every, cron, tz }: JobOptions): WhenText {
  return {
    ...(at === undefined ? {} : { at }),
    ...(every === undefined ? {} : { every }),
    ...(cron === undefined ? {} : { cron }),
    ...(tz === undefined ? {} : { tz }),
  };
}

/** @throws PincerError `agent_unknown`, `job_invalid`, `job_too_many` */
async function addJob(
  { schedule, conversations }: Pick<Runtime, 'schedule' | 'conversations'>,
  options: AddOptions,
): Promise<JobState> {
  const { message, agent } = options;
  const agents = conversations.agents().map(({ id }) => id);
  if (agent !== undefined && !agents.includes(agent))
    throw new PincerError('agent_unknown', `There is no agent ${inertLine(agent, 60)}.`, {
      hint: `There are: ${agents.join(', ')}.`,
    });
  const job = await schedule.add(
    {
      name: nameOfPrompt(message),
      prompt: message,
      when: whenOf(options),
      ...changeOf(options),
      ...(agent === undefined ? {} : { agentId: agent }),
      ...deliveryOf(options),
    },
    { kind: 'user' },
  );
  return await schedule.get(job.id);
}

/** @throws PincerError `usage` */
function deliveryOf({ announce, channel, to, account }: AddOptions): Pick<JobInput, 'delivery'> {
  const isGiven = channel !== undefined || to !== undefined || account !== undefined;
  if (announce !== true && !isGiven) return {};
  if (announce !== true || channel === undefined || to === undefined)
    throw new PincerError('usage', 'To send answers by a channel, give --announce, --channel and --to.');
  return {
    delivery: { mode: 'announce', channel, to, ...(account === undefined ? {} : { accountId: account }) },
  };
}

/** Undefined where the program was told to end before the job did. */
async function runToEnd(
  schedule: Pick<Schedule, 'runNow'>,
  id: string,
  interrupted: AbortSignal,
): Promise<JobRun | undefined> {
  const { ended } = await schedule.runNow(id);
  return await new Promise((resolve) => {
    interrupted.addEventListener('abort', () => resolve(undefined), { once: true });
    void ended.then(resolve);
  });
}

/** @throws PincerError `job_unknown`, `job_ambiguous` */
async function findJob(schedule: Pick<Schedule, 'list' | 'get'>, text: string): Promise<JobState> {
  const jobs = await schedule.list();
  const exact = jobs.find(({ job }) => job.id === text);
  const [only, ...others] = exact === undefined ? jobs.filter(({ job }) => job.id.startsWith(text)) : [exact];
  if (only === undefined) return await schedule.get(inertLine(text, 60));
  if (others.length === 0) return only;
  throw new PincerError('job_ambiguous', `Several jobs begin with ${inertLine(text, 60)}.`, {
    hint: 'Write more of the id: pincer cron list shows them.',
  });
}

function dueText({ job, next, running, isDone, waitsForPlace }: JobState): string {
  if (waitsForPlace) return 'waits for another job to end';
  if (running !== undefined) return running.waitsFor === undefined ? 'now' : 'waits for an answer';
  if (!job.isEnabled) return 'paused';
  return next === undefined ? (isDone ? 'done' : 'never') : timeText(next);
}

function jobCells(state: JobState): readonly string[] {
  const { job, last } = state;
  return [job.id, dueText(state), last?.status ?? '-', costText(last), describeWhen(job.when), job.name];
}

function runCells(run: JobRun): readonly string[] {
  const { startedAt, status, waitsFor, sessionId, error, summary } = run;
  return [
    timeText(startedAt),
    status ?? (waitsFor === undefined ? 'runs' : 'waits'),
    costText(run),
    sessionId?.slice(0, 8) ?? '-',
    inertLine(error ?? summary ?? '', 100),
  ];
}

function costText(run: JobRun | undefined): string {
  return run?.cost === undefined || run.cost === 0 ? '-' : formatCost(run.cost);
}

function jobData({ job, next, last, running, waitsForPlace }: JobState): unknown {
  return { ...job, nextRunAt: next, lastRun: last, isRunning: running !== undefined, waitsForPlace };
}
