// Threat: a turn that nobody asked for in this moment, and that nobody follows, changes something or spends without end. So it has the
// policy of its agent and no more, lower limits than a turn of a person, and what would ask waits for a person or is denied.
import { createSharedBudget, type Spent } from '../agent/sharedBudget.ts';
import { inertLine } from '../base/text.ts';
import type { ScheduleConfig } from '../config/sections/scheduleSection.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { Model } from '../contracts/model.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { UsageSum } from '../contracts/usage.ts';
import type { StartAgentTurn } from '../agents/agentTurn.ts';
import type { Session } from '../sessions/session.ts';
import type { Job, JobRun } from './job.ts';
import type { EndedTurn, TurnPort } from './schedule.ts';
import { jobSessionGone } from './scheduleErrors.ts';

/** What a job's turn needs of the world. */
export interface JobTurnDeps {
  readonly startTurn: StartAgentTurn;
  /** @throws PincerError `agent_unknown` */
  readonly createSession: (agentId: string) => Session;
  readonly openSession: (id: string) => Promise<Session | undefined>;
  /** @throws PincerError `model_unknown` */
  readonly modelFor: (session: Session) => Model;
  readonly config: () => Pick<ScheduleConfig, 'limits' | 'questions'>;
  /** Aborts when the runtime stops or the window loses trust. */
  readonly signal: () => AbortSignal;
}

const maxSummary = 300;

/** Runs the turn of a job to its end. @throws PincerError where it can't begin */
export async function runJobTurn(
  deps: JobTurnDeps,
  job: Job,
  last: JobRun | undefined,
  { begun, waits, goesOn }: TurnPort,
): Promise<EndedTurn & { readonly answer: string }> {
  const session = await sessionFor(deps, job, last);
  const { limits, questions } = deps.config();
  const signal = deps.signal();
  let model: string | undefined;
  let usage: UsageSum | undefined;
  /** Questions that nobody has answered. */
  let open = 0;
  const budget = createSharedBudget({
    maxTokens: Math.min(limits.maxTokens, job.limits?.maxTokens ?? Infinity),
    maxCost: Math.min(limits.maxCost, job.limits?.maxCost ?? Infinity),
  });
  const isHeartbeat = job.by.kind === 'heartbeat';
  const handle = await deps.startTurn({
    session,
    prompt: job.prompt,
    model: deps.modelFor(session),
    settings: {},
    parts: [jobRole(job)],
    askedBy: askedBy(job),
    trigger: isHeartbeat ? 'heartbeat' : 'cron',
    jobId: job.id,
    limits: {
      ...budget.limits,
      maxMs: Math.min(limits.maxMs, job.limits?.maxMs ?? Infinity),
    },
    budget,
    unattended: questions,
    goesOn,
    signal,
    emit(event) {
      if (event.type === 'run_started') model = `${event.model.provider}/${event.model.model}`;
      if (event.type === 'model_fallback') model = `${event.to.provider}/${event.to.model}`;
      if (event.type === 'approval_requested') {
        open += 1;
        waits();
      }
      if (event.type === 'approval_resolved') {
        open -= 1;
        // That of an agent which it has started goes on by itself.
        void goesOn();
      }
      if (event.type === 'tool_ended' && open > 0) waits();
      if (event.type === 'usage') usage = event.use.turn;
    },
  });
  begun({ sessionId: session.id, sessionKey: session.key, runId: handle.runId });
  const outcome = await handle.outcome;
  await nameSession(session, job);
  return {
    ...endOf(outcome, signal),
    answer: outcome.status === 'completed' ? outcome.text : '',
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : spentBy(usage, budget.used())),
  };
}

/** What it used, the agents that it started included. */
function spentBy({ input, output, cost }: UsageSum, together: Spent): Pick<JobRun, 'tokens' | 'cost'> {
  return { tokens: Math.max(input + output, together.tokens), cost: Math.max(cost, together.cost) };
}

/** A heartbeat goes on in its own session, so that it knows what it has said already. */
async function sessionFor(deps: JobTurnDeps, job: Job, last: JobRun | undefined): Promise<Session> {
  if (job.sessionId !== undefined) {
    const found = await deps.openSession(job.sessionId);
    if (found === undefined) throw jobSessionGone(job.name);
    return found;
  }
  const before =
    job.by.kind === 'heartbeat' && last?.sessionId !== undefined
      ? await deps.openSession(last.sessionId)
      : undefined;
  return before?.agentId === job.agentId ? before : deps.createSession(job.agentId);
}

/** Only one that has no name of its own, and no transcript that can't be written any more. */
async function nameSession(session: Session, { name, sessionId }: Job): Promise<void> {
  if (sessionId !== undefined || session.isNew || session.problem !== undefined) return;
  if (session.name() === undefined) await session.rename(name);
}

function endOf(outcome: RunOutcome, signal: AbortSignal): EndedTurn {
  switch (outcome.status) {
    case 'completed': {
      const summary = inertLine(outcome.text, maxSummary);
      return summary === '' || summary === 'NO_REPLY' ? { status: 'ok' } : { status: 'ok', summary };
    }
    case 'yielded':
      return { status: 'ok' };
    case 'blocked':
      return { status: 'error', error: `Plugin ${inertLine(outcome.pluginId, 80)} blocked it.` };
    case 'failed':
      return { status: 'error', error: inertLine(outcome.message, maxSummary) };
    case 'cancelled':
      return signal.aborted
        ? { status: 'interrupted', error: 'The window or program ended, or lost trust.' }
        : { status: 'error', error: 'It was stopped.' };
  }
}

function askedBy({ name, by }: Job): string {
  const label = `scheduled job "${inertLine(name, 40)}"`;
  return by.kind === 'plugin' ? `plugin ${inertLine(by.pluginId, 40)}, ${label}` : label;
}

/** What the model is told of a turn that began by itself. */
function jobRole({ name }: Job): PromptPart {
  return {
    id: 'schedule',
    title: 'Started by the schedule',
    owner: { kind: 'pincer' },
    place: 'system',
    text: [
      '# This turn began by itself',
      `It is a run of the scheduled job "${name}". Nobody follows it: nobody can answer questions now, and your last message is what people read later. Say there what you found and what is left to do.`,
    ].join('\n\n'),
  };
}
