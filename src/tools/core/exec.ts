// Threat: what a person allowed, or the allow list covers, must be what runs: this line, in this folder, with these variables,
// on this host. The decision is made before anything is asked, its plan is what runs, and the deny list is looked at again then.
import { z } from 'zod';
import { cancelledError, throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import type { AgentTool, ExecuteEffect, Turn, RunContext, ToolResult } from '../../contracts/tool.ts';
import type { Clock, FileSystem } from '../../host/ports.ts';
import type { Jobs } from '../../sandbox/createJobs.ts';
import { guardUnasked } from '../../sandbox/findProgram.ts';
import type { ExecOperations, ExecRequest } from '../../sandbox/execOperations.ts';
import type { Job } from '../../sandbox/backgroundJob.ts';
import type { ShellKind } from '../../shell/commandPlan.ts';
import { explainParts } from '../../shell/explainParts.ts';
import type { HarmlessUse } from '../../shell/findHarmlessUse.ts';
import { flavourOf, type WorkspaceLayout } from '../paths/workspaceLayout.ts';
import { createCoreTool, textResult } from './coreTool.ts';
import { cutOutput, describeEnd, describePlace, duration, jobDetails } from './describeJob.ts';
import type { DecideExec, ExecDecision } from './execDecider.ts';
import { harmlessEnvironment, judgeFolder, judgeUses } from './judgeUses.ts';
import { requirePath, requireSamePath, type FoundPath } from './requirePath.ts';

type Environment = Readonly<Record<string, string>>;

export interface ExecToolDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly layout: () => WorkspaceLayout;
  /** Where commands run now, or why they can't: the end of a sentence. */
  readonly operations: () => ExecOperations | { readonly unavailable: string };
  readonly jobs: Jobs;
  readonly decide: DecideExec;
  /** @throws PincerError `env_forbidden`, `env_invalid` */
  readonly filterEnvironment: (base: Environment, extra: Environment) => Environment;
  readonly baseEnv: () => Environment;
  /** What plugins add; already filtered. */
  readonly pluginEnv: (turn: Turn, host: ExecOperations['host']) => Promise<Environment>;
  readonly shellKind: () => ShellKind;
  /** How long a command may run: what holds without a `timeout`, and the most that one can ask for. Seconds. */
  readonly maxSeconds: () => number;
  readonly maxResultChars: number;
}

const defaultYieldMs = 10_000;
/** How often what a running command says is shown. Milliseconds. */
const updateMs = 200;
const maxUpdateChars = 1_500;

const schema = z.strictObject({
  command: z
    .string()
    .min(1)
    .describe('The command line. Plain words, pipes, &&, || and ; run without a shell.'),
  workdir: z
    .string()
    .optional()
    .describe('Folder to run in, relative to the workspace. Default: the workspace.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables to add. Such a call asks the user.'),
  yieldMs: z
    .int()
    .min(10)
    .max(120_000)
    .optional()
    .describe(
      `Milliseconds to wait for its end before it goes on in the background. Default ${defaultYieldMs}.`,
    ),
  background: z
    .boolean()
    .optional()
    .describe('True: starts it in the background at once, with an input that process write reaches.'),
  timeout: z.int().min(1).optional().describe('Seconds after which it is ended. Default 1800.'),
  security: z
    .enum(['deny', 'allowlist', 'full'])
    .optional()
    .describe('Can only be stricter than the config.'),
  ask: z.enum(['off', 'on-miss', 'always']).optional().describe('Can only be stricter than the config.'),
  host: z
    .enum(['local', 'gateway', 'sandbox', 'node'])
    .optional()
    .describe(
      'Fails where commands run elsewhere. gateway is this machine, as local is; there are no nodes.',
    ),
  node: z.string().optional().describe('Leave out: there are no nodes.'),
});

type ExecParams = z.infer<typeof schema>;

/** `exec`: runs a command; one that takes long goes on as a background job. */
export function createExecTool(deps: ExecToolDeps): AgentTool {
  const tool = createCoreTool(
    {
      name: 'exec',
      label: 'Run command',
      description:
        'Runs a command in the workspace and gives its output and exit code. What the user has not allowed asks first. A command that runs longer than yieldMs goes on in the background: look after it with process. To read, search and change files use the file tools.',
      schema,
      mayWrite: true,
      target: ({ command }) => command,
      paths: ({ workdir }) => (workdir === undefined ? [] : [workdir]),
      prepare: async (params, { turn }) => {
        const call = await prepareCall(deps, params, (host) => deps.pluginEnv(turn, host));
        return { effects: [call.effect], run: (run) => runCall(deps, call, turn, run) };
      },
    },
    deps.layout,
  );
  return {
    ...tool,
    unavailable: () => {
      const operations = deps.operations();
      return 'unavailable' in operations ? operations.unavailable : undefined;
    },
  };
}

/**
 * What `exec` would ask about for this command; runs nothing, plugins neither.
 * @throws PincerError where it would refuse
 */
export async function judgeExec(deps: ExecToolDeps, command: string): Promise<ExecuteEffect> {
  const { effect } = await prepareCall(deps, { command }, () => Promise.resolve({}));
  return effect;
}

interface ExecCallPlan {
  readonly params: ExecParams;
  readonly folder: FoundPath;
  readonly operations: ExecOperations;
  /** As it runs after a person's yes. */
  readonly request: ExecRequest;
  /** As it runs where nobody was asked about this very call. */
  readonly unasked: ExecRequest;
  readonly effect: ExecuteEffect;
}

async function prepareCall(
  deps: ExecToolDeps,
  params: ExecParams,
  pluginEnv: (host: ExecOperations['host']) => Promise<Environment>,
): Promise<ExecCallPlan> {
  const operations = requireOperations(deps, params);
  const folder = await requirePath(deps, params.workdir ?? '.', 'list');
  const extra = params.env ?? {};
  const added = { ...(await pluginEnv(operations.host)), ...extra };
  const env = deps.filterEnvironment(operations.host === 'local' ? deps.baseEnv() : {}, added);
  const { command, background = false } = params;
  const given = { command, shell: deps.shellKind(), workdir: folder.path, env, hasInput: background };
  const { decision, unasked } = await decideGuarded(deps, params, given, operations);
  const { plan, verdict, reason, patterns, isAlwaysAsked } = decision;
  const parts = explainParts(command, deps.shellKind()).map(({ text, pieces }) => ({
    text,
    ...(pieces === undefined ? {} : { pieces }),
  }));
  return {
    params,
    folder,
    operations,
    request: { ...given, ...(plan === undefined ? {} : { plan }) },
    unasked,
    effect: {
      kind: 'execute',
      command: withVariables(command, extra),
      workdir: folder.path,
      host: operations.host,
      verdict,
      reason,
      ...(patterns === undefined ? {} : { patterns }),
      ...(isAlwaysAsked === undefined ? {} : { isAlwaysAsked }),
      ...(parts.length < 2 && parts[0]?.pieces === undefined ? {} : { parts }),
    },
  };
}

/**
 * Whether it may run unasked, and how: by where its programs come from, what they obey in the workspace and which files they show. In a
 * container programs come from its image.
 */
async function decideGuarded(
  deps: ExecToolDeps,
  params: ExecParams,
  given: ExecRequest,
  operations: ExecOperations,
): Promise<{ readonly decision: ExecDecision; readonly unasked: ExecRequest }> {
  const decision = decide(deps, params);
  const { programs, plan, uses = [], folder, verdict, isListed } = decision;
  const request = { ...given, ...(plan === undefined ? {} : { plan }) };
  const asks = (problem: string): { decision: ExecDecision; unasked: ExecRequest } => ({
    decision: decide(deps, params, problem),
    unasked: request,
  });
  if (programs === undefined || (verdict === 'allowed' && !isListed)) return { decision, unasked: request };
  const workdir = flavourOf(deps.platform).resolve(given.workdir, folder ?? '.');
  const outside = folder === undefined ? undefined : await judgeFolder(deps, workdir);
  if (outside !== undefined) return asks(outside);
  const place = { programs, workdir, env: given.env };
  const guarded =
    operations.host === 'sandbox' ? { env: given.env } : await guardUnasked(deps, place, deps.layout().roots);
  if ('problem' in guarded) return asks(guarded.problem);
  const env = harmlessEnvironment(guarded.env, uses);
  const problem =
    verdict === 'allowed' ? await judgeUses(deps, uses, { ...given, workdir, operations, env }) : undefined;
  if (problem !== undefined) return asks(problem);
  // Options of ours reach a program only where no shell reads the line. In a container what Git starts is held by it, what is read is not.
  const isLocal = operations.host === 'local';
  const needsOptions = ({ command, walks }: HarmlessUse): boolean =>
    walks === 'without .git' || (isLocal && command.adds !== undefined);
  if ((!isLocal || decision.unasked === undefined) && uses.some(needsOptions))
    return asks('A shell reads the line, and it needs options of ours to run unasked.');
  return {
    decision,
    unasked: { ...request, env, ...(decision.unasked === undefined ? {} : { plan: decision.unasked }) },
  };
}

/** Why upstream's exec host `node` runs nothing. */
export const noNodes = 'there are no nodes here: commands run on this machine or in the sandbox';

/** @throws PincerError `exec_unavailable`, `exec_host` */
function requireOperations(
  deps: ExecToolDeps,
  { host: wanted, node }: Pick<ExecParams, 'host' | 'node'>,
): ExecOperations {
  const operations = deps.operations();
  if ('unavailable' in operations) {
    throw new PincerError('exec_unavailable', `Commands can't run: ${operations.unavailable}.`, {
      hint: 'Tell the user, or go on without commands.',
    });
  }
  // Whoever names a node means it, whatever host says.
  if (wanted === 'node' || node !== undefined)
    throw new PincerError('exec_host', `exec host not allowed (requested node): ${noNodes}.`, {
      hint: 'Leave host and node out.',
    });
  if (wanted === undefined || (wanted === 'gateway' ? 'local' : wanted) === operations.host)
    return operations;
  throw new PincerError(
    'exec_host',
    `exec host not allowed (requested ${wanted}; configure tools.exec.host=${wanted} to allow).`,
    { hint: 'Leave host out.' },
  );
}

function decide(
  deps: ExecToolDeps,
  { command, env = {}, security, ask }: ExecParams,
  problem?: string,
): ExecDecision {
  const notMeant = Object.keys(env).length > 0 ? 'It runs with variables of its own.' : problem;
  return deps.decide(command, {
    notMeant,
    ...(security === undefined ? {} : { security }),
    ...(ask === undefined ? {} : { ask }),
  });
}

/** The variables stand in front, as a shell would have them: whoever is asked sees them, and no pattern covers them. */
function withVariables(command: string, extra: Environment): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [...Object.entries(extra).map(([name, value]) => `${name}=${quote(value)}`), command].join(' ');
}

async function runCall(
  deps: ExecToolDeps,
  call: ExecCallPlan,
  { sessionId }: Turn,
  run: RunContext,
): Promise<ToolResult> {
  const { params, folder, operations, effect } = call;
  const isUnasked = effect.verdict === 'allowed' || run.consent === 'always';
  const request = isUnasked ? call.unasked : call.request;
  throwIfAborted(run.signal);
  // Rules may have changed while somebody was asked; what was never allowed is refused here, whoever calls.
  const { verdict, reason } = decide(deps, params);
  if (verdict === 'denied') {
    throw new PincerError('exec_denied', reason, { hint: 'Find another way, or ask the user to run it.' });
  }
  await requireSamePath(deps, folder);
  const limit = deps.maxSeconds();
  const timeoutMs = Math.min(params.timeout ?? limit, limit) * 1_000;
  const job = await deps.jobs.start(operations, request, { sessionId, timeoutMs });
  // Making a container takes its time, and what comes up after a cancel would go on unseen.
  if (run.signal.aborted) {
    await job.stop();
    throw cancelledError();
  }
  if (params.background === true) return stillRunning(deps, job, timeoutMs);
  return await waitForEnd(deps, job, run, { yieldMs: params.yieldMs ?? defaultYieldMs, timeoutMs });
}

async function waitForEnd(
  deps: ExecToolDeps,
  job: Job,
  run: RunContext,
  times: { readonly yieldMs: number; readonly timeoutMs: number },
): Promise<ToolResult> {
  const stop = (): void => void job.stop();
  run.signal.addEventListener('abort', stop, { once: true });
  const stopUpdates = sendUpdates(deps.clock, job, run);
  let cancelYield: () => void = () => undefined;
  const yielded = new Promise<void>((resolve) => {
    cancelYield = deps.clock.after(times.yieldMs, resolve);
  });
  try {
    await Promise.race([job.ended, yielded]);
    // One that is being stopped is waited for, however long its time was.
    if (run.signal.aborted) await job.ended;
  } finally {
    cancelYield();
    stopUpdates();
    run.signal.removeEventListener('abort', stop);
  }
  if (run.signal.aborted) throw cancelledError();
  return job.end() === undefined ? stillRunning(deps, job, times.timeoutMs) : ended(deps, job);
}

/** The last of what it has said, now and then. */
function sendUpdates(clock: Clock, job: Job, run: RunContext): () => void {
  let cancel: (() => void) | undefined;
  const listener = job.onOutput(() => {
    cancel ??= clock.after(updateMs, () => {
      cancel = undefined;
      run.onUpdate(textResult(cutOutput(job, maxUpdateChars).text));
    });
  });
  return () => {
    listener.dispose();
    cancel?.();
  };
}

/** Room for the line about how it ended or how to go on. */
const statusChars = 500;

function ended(deps: ExecToolDeps, job: Job): ToolResult {
  const end = job.end();
  const { text, isCut } = cutOutput(job, deps.maxResultChars - statusChars);
  const status = end === undefined ? '' : `\n\n[${describeEnd(job, end)}.]`;
  // What was shown whole needs not be asked for again.
  if (!isCut) deps.jobs.forget(job);
  const result = textResult(text + status, jobDetails(job, { isKept: isCut }));
  return end?.code === 0 && end.cause === 'itself' ? result : { ...result, isError: true };
}

function stillRunning(deps: ExecToolDeps, job: Job, timeoutMs: number): ToolResult {
  const { text } = cutOutput(job, deps.maxResultChars - statusChars);
  // What stands here is not news any more.
  job.takeNews();
  const how = `process: {"action":"poll","sessionId":"${job.id}","timeout":30000} waits for what comes next, kill ends it${job.takesInput ? ', write gives it input' : ''}`;
  const status = `[Running in the background as ${job.id}, ${describePlace(job)}. It ends when the window closes, or after ${duration(timeoutMs)}. ${how}.]`;
  return textResult(`${text}\n\n${status}`, jobDetails(job, { isKept: true }));
}
