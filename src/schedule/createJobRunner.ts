import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Log } from '../host/ports.ts';
import type { Job, JobRun } from './job.ts';
import type { EndedTurn, JobEvent, JobState, ScheduleDeps } from './schedule.ts';
import { graceMs, isDone, plainTimes, planDue, type DueRun, type DueTimes } from './planDue.ts';
import { jobRunning, scheduleOff } from './scheduleErrors.ts';

/** Starts jobs when they are due, and follows each run to its end. */
interface JobRunner {
  /** From now on jobs start by themselves. Resolves once what died is told. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  /** A job was added or changed. */
  readonly look: () => void;
  /** Starts it beside its times, once there is a place. @throws PincerError `job_running`, `schedule_off` */
  readonly runNow: (job: Job) => Promise<{ readonly run: JobRun; readonly ended: Promise<JobRun> }>;
  readonly settled: () => Promise<void>;
  readonly stateOf: (job: Job) => Promise<JobState>;
}

interface JobRunnerDeps extends ScheduleDeps {
  readonly tell: (event: JobEvent) => void;
  /** What is shown of a job has changed. */
  readonly changed: () => void;
}

/** How long a timer waits at most: other windows add jobs, and machines sleep. Milliseconds. */
const pollIntervalMs = 60_000;
/**
 * Jobs that work in this process at one time, those that a person starts among them. One that waits for an answer does not count, and goes
 * on with it before others begin. Each process counts its own: the limit keeps a window responsive, while what jobs cost is up to their
 * budgets; and a place that another process gives back would be heard of at the next look alone, a minute later.
 */
const maxAtOnce = 3;

/** A run of this process. */
interface LiveRun {
  /** As it was read last: somebody may edit it while it waits for a place. */
  job: Job;
  /** As it stands on disk, or will in a moment. */
  now: JobRun;
  /** Resolves once that is written. Never rejects. */
  noted: Promise<void>;
  /** `over`: what became of it is written, and nothing else of it any more. */
  stage: 'claimed' | 'begun' | 'over';
}

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { clock, log, store } = deps;
  /** By job. */
  const live = new Map<string, LiveRun>();
  const endings = new Set<Promise<JobRun>>();
  /** Those that wait for a place, the first first; more than once where several things wait for the same. */
  let waiting: readonly { readonly run: LiveRun; readonly goOn: () => void }[] = [];
  /** Due, without a place: the time that it is due for, by job. */
  let queued: ReadonlyMap<string, number> = new Map();
  /** When that was looked at. */
  let queuedAt = 0;
  let isStarted = false;
  let isStopped = false;
  let stopTimer = (): void => undefined;
  /** The last look at what is due. */
  let looking: Promise<unknown> = Promise.resolve();

  const inTurn = createSerialQueue();
  const tell = async (action: JobEvent['action'], job: Job, run?: JobRun): Promise<void> => {
    const state = await stateOf(job);
    deps.tell({ action, state, ...(run === undefined ? {} : { run }) });
  };
  /** Its times have moved on. */
  const tellNext = (state: JobState, run: JobRun): void => {
    if (run.kind === 'due' && state.next !== undefined) deps.tell({ action: 'scheduled', state });
  };
  const stateOf = async (job: Job): Promise<JobState> => {
    const runs = await store.runs(job.id);
    const times = await timesOf(job);
    const handled = handledUpTo(job, runs, clock.now());
    const after = Math.max(handled, clock.now());
    const isOver = times !== undefined && isDone(job, times, handled);
    const running = runs.find(({ status }) => status === undefined);
    return {
      job,
      // A one-shot job whose time has passed while nothing ran is still to come.
      next: !job.isEnabled || isOver ? undefined : (times?.next(after) ?? times?.next(handled)),
      last: runs.find(({ status }) => status !== undefined),
      running,
      isDone: isOver,
      waitsForPlace:
        running === undefined
          ? queued.has(job.id) || (!isStarted && (await waitsElsewhere(job)))
          : running.waitsFor === 'place',
    };
  };
  /** Due, while another process that starts jobs works on as many as it may. */
  const waitsElsewhere = async (job: Job): Promise<boolean> => {
    if (!job.isEnabled || (await findDue(job)) === undefined) return false;
    const places = new Map<string, number>();
    for (const { id } of await store.jobs())
      for (const run of await store.runs(id))
        if (run.status === undefined && run.waitsFor === undefined && !(await store.isCutOff(run)))
          places.set(run.owner, (places.get(run.owner) ?? 0) + 1);
    return [...places.values()].some((count) => count >= maxAtOnce);
  };
  /** What died with its process is told, and not begun again. */
  const endCutOff = async (job: Job): Promise<void> => {
    for (const run of await store.runs(job.id)) {
      if (!(await store.isCutOff(run))) continue;
      await store.alone(job.id, async () => {
        const isTold = (await store.runs(job.id)).some(
          ({ slot, kind, status }) => slot === run.slot && kind === run.kind && status !== undefined,
        );
        if (isTold) return;
        const ended: JobRun = { ...run, status: 'interrupted', endedAt: clock.now(), error: cutOffText(run) };
        await store.finish(ended);
        deps.report(cutOff(job));
        await tell('finished', job, ended);
        tellNext(await stateOf(job), ended);
      });
    }
  };
  const hasPlace = (): boolean =>
    [...live.values()].filter(({ now }) => now.waitsFor === undefined).length < maxAtOnce;
  /** Writes what is known of a run meanwhile, and has it shown then. */
  const note = (run: LiveRun, change: Partial<JobRun>): void => {
    if (run.stage === 'over') return;
    const now = { ...run.now, ...change };
    run.now = now;
    run.noted = run.noted
      .then(() => store.note(now))
      .then(deps.changed, (error: unknown) => notKept(log, run.job, error));
  };
  const letGo = (run: LiveRun): void => {
    for (const each of waiting) if (each.run === run) each.goOn();
    waiting = waiting.filter((each) => each.run !== run);
  };
  /** Resolves once the run has a place, or is over. */
  const placeFor = async (run: LiveRun): Promise<void> => {
    if (run.now.waitsFor !== 'place' && hasPlace()) {
      note(run, { waitsFor: undefined });
      return;
    }
    if (run.now.waitsFor !== 'place') note(run, { waitsFor: 'place' });
    await new Promise<void>((resolve) => {
      waiting = [...waiting, { run, goOn: resolve }];
    });
  };
  /** A place is free: those that have their answer come first, then those that a person has started. */
  const placeFreed = (): void => {
    const next = (): LiveRun | undefined =>
      (waiting.find(({ run }) => run.stage === 'begun') ?? waiting[0])?.run;
    for (let run = next(); run !== undefined && hasPlace(); run = next()) {
      note(run, { waitsFor: undefined });
      letGo(run);
    }
    look();
  };
  const begin = (job: Job, claimed: JobRun): { readonly run: JobRun; readonly ended: Promise<JobRun> } => {
    const isFree = hasPlace();
    const run: LiveRun = { job, now: claimed, noted: Promise.resolve(), stage: 'claimed' };
    live.set(job.id, run);
    if (!isFree) note(run, { waitsFor: 'place' });
    const started = run.now;
    const ended = follow(run).finally(() => {
      live.delete(job.id);
      endings.delete(ended);
      placeFreed();
    });
    endings.add(ended);
    return { run: started, ended };
  };
  /** Never rejects. */
  const follow = async (run: LiveRun): Promise<JobRun> => {
    let turn: EndedTurn;
    try {
      if (run.now.waitsFor === 'place') {
        await placeFor(run);
        note(run, { startedAt: clock.now() });
      }
      turn = await runTurn(run);
    } catch (error) {
      turn = { status: 'error', error: inertLine(errorMessage(error), 500) };
    }
    run.stage = 'over';
    // A turn that was stopped may have waited for its place.
    letGo(run);
    await run.noted;
    const { waitsFor: _waitsFor, ...now } = run.now;
    const end = { ...now, ...turn, endedAt: clock.now() };
    const { job } = run;
    try {
      await store.finish(end);
      const state = await stateOf(job);
      deps.tell({ action: 'finished', state, run: end });
      if (job.deleteAfterRun !== true || end.status !== 'ok') {
        tellNext(state, end);
        return end;
      }
      await store.remove(job.id);
      deps.tell({ action: 'removed', state });
    } catch (error) {
      notKept(log, job, error);
    }
    return end;
  };
  /** Begins it where nothing has come in between while it waited. */
  const runTurn = async (run: LiveRun): Promise<EndedTurn> => {
    if (isStopped) return { status: 'interrupted', error: neverBegunText };
    const why = deps.blocked();
    if (why !== undefined) return { status: 'interrupted', error: scheduleOff(why).message };
    const job = await store.job(run.job.id);
    if (job === undefined) return { status: 'skipped', error: 'The job was removed before it began.' };
    const { deleteAfterRun: _stays, ...kept } = job;
    // By hand it runs beside its times, and stays.
    run.job = run.now.kind === 'manual' ? kept : job;
    run.stage = 'begun';
    await tell('started', job, run.now);
    const last = (await store.runs(job.id)).find(({ status }) => status !== undefined);
    return await deps.runTurn(job, last, {
      begun: (begun) => note(run, begun),
      waits() {
        if (run.now.waitsFor !== undefined || run.stage === 'over') return;
        note(run, { waitsFor: 'answer' });
        placeFreed();
      },
      async goesOn() {
        if (run.now.waitsFor !== undefined && run.stage !== 'over') await placeFor(run);
      },
    });
  };
  const newRun = async ({ id }: Job, kind: JobRun['kind'], slot: number): Promise<JobRun> => ({
    version: 1,
    jobId: id,
    slot,
    kind,
    owner: await store.owner(),
    startedAt: clock.now(),
  });
  /** Claims what has come of a job, and begins it; gives the time that it is due for where there is no place for it. */
  const consider = async (known: Job): Promise<number | undefined> => {
    await endCutOff(known);
    if (!known.isEnabled || live.has(known.id)) return undefined;
    const first = await findDue(known);
    if (first === undefined) return undefined;
    if (first.does === 'run' && !hasPlace()) return first.slot;
    await store.alone(known.id, async () => {
      const job = await store.job(known.id);
      const due = job?.isEnabled === true ? await findDue(job) : undefined;
      if (job === undefined || due === undefined) return;
      const plain = await newRun(job, 'due', due.slot);
      const run = due.missed === 0 ? plain : { ...plain, missed: due.missed };
      if (!(await store.claim(run))) return;
      if (due.does === 'run') {
        void begin(job, run).ended;
        return;
      }
      const skipped: JobRun = { ...run, status: 'skipped', endedAt: run.startedAt };
      await store.finish(skipped);
      await tell('finished', job, skipped);
      tellNext(await stateOf(job), skipped);
    });
    return undefined;
  };
  const findDue = async (job: Job): Promise<DueRun | undefined> => {
    const times = await timesOf(job);
    const runs = await store.runs(job.id);
    // It goes on in another window.
    if (times === undefined || runs.some(({ status }) => status === undefined)) return undefined;
    const now = clock.now();
    const handled = handledUpTo(job, runs, now);
    // What waits for a place was seen in time, and so is what comes meanwhile, unless the machine has slept since the last look.
    const seen = queued.get(job.id) ?? handled;
    const isAwake = now - queuedAt < graceMs + pollIntervalMs;
    const missed = job.missed === 'skip' && seen > handled && isAwake ? 'once' : job.missed;
    return planDue(times, missed, handled, now);
  };
  const timesOf = async (job: Job): Promise<DueTimes | undefined> => {
    try {
      return await timesFor(job.when);
    } catch (error) {
      log.write('warn', `The times of the job ${job.id} can't be worked out: ${errorMessage(error)}`);
      return undefined;
    }
  };

  const look = (): void => {
    looking = inTurn(async () => {
      await lookNow();
      if (isStarted) await arm();
    });
  };
  const lookNow = async (): Promise<void> => {
    const before = queued;
    const now = clock.now();
    const due = new Map<string, number>();
    try {
      if (isStarted && deps.blocked() === undefined)
        for (const job of await store.jobs()) {
          const slot = await consider(job);
          if (slot !== undefined) due.set(job.id, slot);
        }
      queued = due;
      queuedAt = now;
      if (due.size !== before.size || [...due.keys()].some((id) => !before.has(id))) deps.changed();
    } catch (error) {
      log.write('error', `The schedule could not be read: ${errorMessage(error)}`);
    }
  };
  const arm = async (): Promise<void> => {
    stopTimer();
    const now = clock.now();
    let soonest = now + pollIntervalMs;
    try {
      for (const job of await store.jobs()) {
        const next = job.isEnabled ? (await timesOf(job))?.next(now) : undefined;
        if (next !== undefined) soonest = Math.min(soonest, next);
      }
    } catch (error) {
      log.write('error', `The schedule could not be read: ${errorMessage(error)}`);
    }
    if (isStarted) stopTimer = clock.after(Math.max(0, soonest - clock.now()), look);
  };

  return {
    async start() {
      if (isStarted) return;
      isStarted = true;
      await inTurn(async () => {
        for (const job of await store.jobs()) await endCutOff(job);
      }).catch((error: unknown) =>
        log.write('error', `The schedule could not be read: ${errorMessage(error)}`),
      );
      look();
    },
    stop() {
      isStarted = false;
      isStopped = true;
      stopTimer();
      for (const { run } of waiting) if (run.stage === 'claimed') letGo(run);
    },
    look,
    async runNow(job) {
      const why = deps.blocked();
      if (why !== undefined) throw scheduleOff(why);
      return await inTurn(async () => {
        await endCutOff(job);
        const claimed = await store.alone(job.id, async () => {
          const runs = await store.runs(job.id);
          if (live.has(job.id) || runs.some(({ status }) => status === undefined)) return undefined;
          const now = clock.now();
          const run = await newRun(job, 'manual', now);
          return (await store.claim(run)) ? run : undefined;
        });
        if (claimed === undefined) throw jobRunning(job.name);
        return begin(job, claimed);
      });
    },
    async settled() {
      await Promise.all(endings);
      await looking;
    },
    stateOf,
  };
}

/** Up to when the times of a job are done. A time that a clock gave which was ahead ends no job that comes again. Pure. */
function handledUpTo({ since, when }: Job, runs: readonly JobRun[], now: number): number {
  const slots = runs.filter(({ kind }) => kind === 'due').map(({ slot }) => slot);
  return Math.max(since, ...slots.filter((slot) => slot <= now || when.kind === 'at'));
}

/** @throws Error where a cron expression or a time zone is none */
export async function timesFor(when: Job['when']): Promise<DueTimes> {
  if (when.kind !== 'cron') return plainTimes(when);
  const { cronTimes } = await import('./cronTimes.ts');
  return cronTimes(when.expr, when.tz);
}

const neverBegunText = 'its window or program ended before it had a place';

function cutOffText({ waitsFor, runId }: JobRun): string {
  const isBegun = waitsFor !== 'place' || runId !== undefined;
  return isBegun ? 'cut off: its window or program ended while it ran' : `cut off: ${neverBegunText}`;
}

function cutOff({ name }: Job): Diagnostic {
  return {
    level: 'warn',
    code: 'job_cut_off',
    message: `The scheduled job "${name}" was cut off, since its window or program ended. It is not repeated by itself.`,
    hint: 'Look at what it did in the Schedule view, and run it there if it should run again.',
  };
}

function notKept(log: Log, { id }: Job, error: unknown): void {
  log.write('error', `What became of the job ${id} could not be kept: ${errorMessage(error)}`);
}
