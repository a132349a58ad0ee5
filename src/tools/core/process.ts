import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import type { AgentTool, PreparedCall, ToolCall, ToolResult } from '../../contracts/tool.ts';
import type { Clock } from '../../host/ports.ts';
import { foldReturns } from '../../sandbox/createAnsiStripper.ts';
import type { Jobs } from '../../sandbox/createJobs.ts';
import type { Job } from '../../sandbox/backgroundJob.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';
import { createCoreTool, textResult } from './coreTool.ts';
import { describeEnd, duration, jobDetails } from './describeJob.ts';
import type { DecideExec } from './execDecider.ts';
import { pageText, splitLines } from './pageText.ts';
import { truncate } from '../../base/text.ts';

interface ProcessToolDeps {
  readonly clock: Clock;
  readonly layout: () => WorkspaceLayout;
  readonly jobs: Jobs;
  /** For what is typed into a command: the deny list holds there, too. */
  readonly decide: DecideExec;
  readonly maxResultChars: number;
}

const defaultLines = 200;

const schema = z.strictObject({
  action: z
    .enum(['list', 'poll', 'log', 'write', 'kill', 'clear', 'remove'])
    .describe(
      'list: all commands. poll: what is new. log: output by lines. write: type into it. kill: end it. clear: forget an ended one. remove: end and forget it.',
    ),
  sessionId: z.string().optional().describe('Id of the command, as exec or list gave it. For all but list.'),
  data: z.string().optional().describe('For write: the text, with its line end.'),
  eof: z.boolean().optional().describe('For write: true ends its input afterwards.'),
  offset: z
    .int()
    .min(1)
    .optional()
    .describe('For log: first line, counting from 1. Default: the last lines.'),
  limit: z.int().min(1).optional().describe(`For log: how many lines. Default ${defaultLines}.`),
  timeout: z
    .int()
    .min(0)
    .max(120_000)
    .optional()
    .describe('For poll: milliseconds to wait for something new. Default 0.'),
});

type ProcessParams = z.infer<typeof schema>;

/** `process`: looks after the commands that this session has started. */
export function createProcessTool(deps: ProcessToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'process',
      label: 'Background command',
      description:
        'Looks after commands that exec has started: lists them, reads what they say, types into them, ends them.',
      schema,
      mayWrite: true,
      target: ({ action, sessionId }) => `${action} ${sessionId ?? ''}`.trim(),
      paths: () => [],
      prepare: (params, call) => Promise.resolve(prepareAction(deps, params, call)),
    },
    deps.layout,
  );
}

function prepareAction(deps: ProcessToolDeps, params: ProcessParams, { turn }: ToolCall): PreparedCall {
  if (params.action === 'list') {
    return { effects: [], run: () => Promise.resolve(list(deps.jobs.list(turn.sessionId))) };
  }
  const job = requireJob(deps, turn.sessionId, params.sessionId);
  switch (params.action) {
    case 'poll':
      return { effects: [], run: ({ signal }) => poll(deps, job, params.timeout ?? 0, signal) };
    case 'log':
      return { effects: [], run: () => Promise.resolve(log(deps, job, params)) };
    case 'write':
      return prepareWrite(deps, job, params);
    case 'kill':
      return { effects: [], run: () => end(job) };
    case 'clear':
      if (job.end() === undefined) {
        throw new PincerError('job_running', `${job.id} still runs.`, {
          hint: 'End it first: kill or remove.',
        });
      }
      return { effects: [], run: () => forget(deps, job) };
    case 'remove':
      return { effects: [], run: () => forget(deps, job) };
  }
}

/** @throws PincerError `job_unknown` */
function requireJob(deps: ProcessToolDeps, sessionId: string, id: string | undefined): Job {
  const job = id === undefined ? undefined : deps.jobs.find(sessionId, id);
  if (job !== undefined) return job;
  const known = deps.jobs.list(sessionId).map((each) => each.id);
  const message = id === undefined ? 'This action needs a sessionId.' : `There is no command ${id}.`;
  const hint = known.length === 0 ? 'This session has no commands.' : `There is: ${known.join(', ')}.`;
  throw new PincerError('job_unknown', message, { hint });
}

function list(jobs: readonly Job[]): ToolResult {
  const lines = jobs.map((job) => {
    const ended = job.end();
    const state = ended === undefined ? `running for ${duration(job.runningMs())}` : describeEnd(job, ended);
    return `${job.id}  ${state}  ${truncate(job.command.replace(/\s+/gu, ' '), 200)}`;
  });
  return textResult(
    lines.length === 0 ? '[This session has no commands.]' : lines.join('\n'),
    jobs.map((job) => jobDetails(job, { isKept: true })),
  );
}

async function poll(
  deps: ProcessToolDeps,
  job: Job,
  waitMs: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const first = job.takeNews();
  const { text, skipped } =
    first.text === '' && waitMs > 0 ? await waitForNews(deps.clock, job, waitMs, signal) : first;
  const shown = foldReturns(text).replace(/\n+$/u, '');
  const room = deps.maxResultChars - 400;
  const last = shown.slice(-room);
  const left = skipped + shown.length - last.length;
  const note = left === 0 ? '' : `[${left} characters before this were left out; log has them.]\n\n`;
  return textResult(
    `${note}${last === '' ? '[Nothing new.]' : last}\n\n[${stateOf(job)}]`,
    jobDetails(job, { isKept: true }),
  );
}

/** Until it says something, ends, the time is up or nobody waits any more. */
async function waitForNews(
  clock: Clock,
  job: Job,
  ms: number,
  signal: AbortSignal,
): Promise<ReturnType<Job['takeNews']>> {
  let release: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => (release = resolve));
  const listener = job.onOutput(release);
  const cancel = clock.after(ms, release);
  signal.addEventListener('abort', release, { once: true });
  await Promise.race([woken, job.ended]);
  listener.dispose();
  cancel();
  signal.removeEventListener('abort', release);
  return job.takeNews();
}

function stateOf(job: Job): string {
  const ended = job.end();
  return ended === undefined ? `Running for ${duration(job.runningMs())}.` : `${describeEnd(job, ended)}.`;
}

function log(deps: ProcessToolDeps, job: Job, { offset, limit = defaultLines }: ProcessParams): ToolResult {
  const { text, dropped } = job.output();
  const shown = foldReturns(text);
  const lines = splitLines(shown);
  const chars = deps.maxResultChars - 500;
  const first = offset ?? firstOfLast(lines, limit, chars);
  const page = pageText(shown, first, { lines: limit, chars });
  const cut = page.isLineCut ? ` Line ${page.first} is too long and was cut.` : '';
  const lost =
    dropped === 0 ? '' : ` The first ${dropped} characters are no longer kept; lines count from there.`;
  const more = page.last < page.total ? ` Read on with offset ${page.last + 1}.` : '';
  const range =
    page.total === 0
      ? 'No output.'
      : page.last < page.first
        ? `There are only ${page.total} lines.`
        : `Lines ${page.first} to ${page.last} of ${page.total}.${more}`;
  const body = page.text === '' ? '' : `${page.text}\n\n`;
  return textResult(`${body}[${range}${cut}${lost} ${stateOf(job)}]`, jobDetails(job, { isKept: true }));
}

/** The number of the first of the last lines that fit. */
function firstOfLast(lines: readonly string[], limit: number, chars: number): number {
  let room = chars;
  let first = lines.length + 1;
  while (first > 1 && first > lines.length - limit + 1) {
    room -= (lines[first - 2] ?? '').length + 1;
    if (room < 0 && first <= lines.length) break;
    first -= 1;
  }
  return Math.max(1, first);
}

function prepareWrite(
  deps: ProcessToolDeps,
  job: Job,
  { data = '', eof = false }: ProcessParams,
): PreparedCall {
  if (job.end() !== undefined || !job.takesInput) {
    throw new PincerError('process_input_closed', `${job.id} takes no input.`, {
      hint: 'Start a command that asks for input with background: true.',
    });
  }
  if (data === '' && !eof) {
    throw new PincerError('params_invalid', 'write needs data, or eof.', { hint: 'Give the text in data.' });
  }
  const run = async (): Promise<ToolResult> => {
    if (data !== '') await job.write(data);
    if (eof) job.endInput();
    const input = eof ? ' Its input has ended.' : '';
    return textResult(
      `[${data.length} characters were typed.${input} poll gives what it says.]`,
      jobDetails(job, { isKept: true }),
    );
  };
  if (data === '') return { effects: [], run };
  // Threat: a shell that was allowed once would run whatever is typed into it. So typing asks like a command does.
  const { verdict, reason } = deps.decide(data.trim(), { notMeant: 'A program that runs reads it.' });
  return {
    effects: [
      {
        kind: 'execute',
        command: `type into ${job.id}: ${data}`,
        workdir: job.workdir,
        host: job.host,
        verdict,
        reason: verdict === 'ask' ? `It is typed into "${truncate(job.command, 200)}".` : reason,
      },
    ],
    run,
  };
}

async function end(job: Job): Promise<ToolResult> {
  await job.stop();
  return textResult(`[${job.id}: ${stateOf(job)}]`, jobDetails(job, { isKept: true }));
}

async function forget({ jobs }: ProcessToolDeps, job: Job): Promise<ToolResult> {
  await job.stop();
  await job.ended;
  jobs.forget(job);
  return textResult(`[${job.id} is forgotten. ${stateOf(job)}]`, jobDetails(job, { isKept: false }));
}
