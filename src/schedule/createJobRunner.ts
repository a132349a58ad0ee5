import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Log } from '../host/ports.ts';
import type { Job, JobRun } from './job.ts';
import type { JobEvent, JobState, ScheduleDeps } from './schedule.ts';
import { isDone, plainTimes, planDue, type DueRun, type Times } from './planDue.ts';
import { jobRunning, scheduleOff } from './scheduleErrors.ts';

/** Starts jobs when they are due, and follows each run to its end. */
interface JobRunner {
  /** From now on jobs start by themselves. Resolves once what died is told. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  /** A job was added or changed. */
  readonly look: () => void;
  /** Starts it beside its times. @throws PincerError `job_running`, `schedule_off` */
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
/** Jobs that work in this process at one time. One that waits for an answer does not count, and goes on with it before others begin. */
const maxAtOnce = 3;

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { clock, log, store } = deps;
  const running = new Map<string, Promise<JobRun>>();
  /** Those of them that only wait for an answer, for days perhaps. */
  const asking = new Set<string>();
  /** Those of them that have their answer, and wait for a place; the first first. */
  let resuming: readonly { readonly jobId: string; readonly goOn: () => void }[] = [];
  /** Due, without a place. */
  let queued: ReadonlySet<string> = new Set();
  let isStarted = false;
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
    const handled = handledUpTo(job, runs);
    const after = Math.max(handled, clock.now());
    const isOver = times !== undefined && isDone(job, times, handled);
    return {
      job,
      // A one-shot job whose time has passed while nothing ran is still to come.
      next: !job.isEnabled || isOver ? undefined : (times?.next(after) ?? times?.next(handled)),
      last: runs.find(({ status }) => status !== undefined),
      running: runs.find(({ status }) => status === undefined),
      isDone: isOver,
      waitsForPlace: queued.has(job.id) || (!isStarted && (await waitsElsewhere(job))),
    };
  };
  /** Due, while another process that starts jobs works on as many as it may. */
  const waitsElsewhere = async (job: Job): Promise<boolean> => {
    if (!job.isEnabled || (await findDue(job)) === undefined) return false;
    const places = new Map<string, number>();
    for (const { id } of await store.jobs())
      for (const run of await store.runs(id))
        if (run.status === undefined && !(await store.isCutOff(run)))
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
        const ended: JobRun = { ...run, status: 'interrupted', endedAt: clock.now(), error: cutOffText };
        await store.finish(ended);
        deps.report(cutOff(job));
        await tell('finished', job, ended);
        tellNext(await stateOf(job), ended);
      });
    }
  };
  const hasPlace = (): boolean => running.size - asking.size < maxAtOnce;
  const resume = (jobId: string): void => {
    asking.delete(jobId);
    for (const each of resuming) if (each.jobId === jobId) each.goOn();
    resuming = resuming.filter((each) => each.jobId !== jobId);
  };
  /** A place is free: those that have their answer come first. */
  const placeFreed = (): void => {
    for (let [next] = resuming; next !== undefined && hasPlace(); [next] = resuming) resume(next.jobId);
    look();
  };
  const begin = (job: Job, run: JobRun): Promise<JobRun> => {
    const ended = follow(job, run).finally(() => {
      running.delete(job.id);
      // A turn that was stopped may have waited for its place.
      resume(job.id);
      placeFreed();
    });
    running.set(job.id, ended);
    return ended;
  };
  /** Never rejects. */
  const follow = async (job: Job, run: JobRun): Promise<JobRun> => {
    let now = run;
    let noted: Promise<unknown> = Promise.resolve();
    let end: JobRun;
    try {
      await tell('started', job, run);
      const last = (await store.runs(job.id)).find(({ status }) => status !== undefined);
      const turn = await deps.runTurn(job, last, {
        begun(begun) {
          now = { ...now, ...begun };
          noted = store.note(now).catch((error: unknown) => notKept(log, job, error));
          deps.changed();
        },
        waits() {
          if (!running.has(job.id)) return;
          asking.add(job.id);
          placeFreed();
        },
        async goesOn() {
          if (!asking.has(job.id)) return;
          if (hasPlace()) resume(job.id);
          else
            await new Promise<void>((resolve) => {
              resuming = [...resuming, { jobId: job.id, goOn: resolve }];
            });
        },
      });
      end = { ...now, ...turn, endedAt: clock.now() };
    } catch (error) {
      end = { ...now, status: 'error', error: inertLine(errorMessage(error), 500), endedAt: clock.now() };
    }
    await noted;
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
  const newRun = async ({ id }: Job, kind: JobRun['kind'], slot: number): Promise<JobRun> => ({
    version: 1,
    jobId: id,
    slot,
    kind,
    owner: await store.owner(),
    startedAt: clock.now(),
  });
  /** Claims what has come of a job, and begins it; true where it is due and there is no place for it. */
  const consider = async (known: Job): Promise<boolean> => {
    await endCutOff(known);
    if (!known.isEnabled || running.has(known.id) || (await findDue(known)) === undefined) return false;
    if (!hasPlace()) return true;
    await store.alone(known.id, async () => {
      const job = await store.job(known.id);
      const due = job?.isEnabled === true ? await findDue(job) : undefined;
      if (job === undefined || due === undefined) return;
      const plain = await newRun(job, 'due', due.slot);
      const run = due.missed === 0 ? plain : { ...plain, missed: due.missed };
      if (!(await store.claim(run))) return;
      if (due.does === 'run') {
        void begin(job, run);
        return;
      }
      const skipped: JobRun = { ...run, status: 'skipped', endedAt: run.startedAt };
      await store.finish(skipped);
      await tell('finished', job, skipped);
      tellNext(await stateOf(job), skipped);
    });
    return false;
  };
  const findDue = async (job: Job): Promise<DueRun | undefined> => {
    const times = await timesOf(job);
    const runs = await store.runs(job.id);
    // It goes on in another window.
    if (times === undefined || runs.some(({ status }) => status === undefined)) return undefined;
    return planDue(times, job.missed, handledUpTo(job, runs), clock.now());
  };
  const timesOf = async (job: Job): Promise<Times | undefined> => {
    try {
      return await timesFor(job.when);
    } catch (error) {
      log.write('warn', `The times of the job ${job.id} can't be worked out: ${errorMessage(error)}`);
      return undefined;
    }
  };

  const look = (): void => {
    looking = lookNow();
  };
  const lookNow = async (): Promise<void> => {
    try {
      await inTurn(async () => {
        const before = queued;
        const due = new Set<string>();
        if (isStarted && deps.blocked() === undefined)
          for (const job of await store.jobs()) if (await consider(job)) due.add(job.id);
        queued = due;
        if (due.size !== before.size || [...due].some((id) => !before.has(id))) deps.changed();
      });
    } catch (error) {
      log.write('error', `The schedule could not be read: ${errorMessage(error)}`);
    }
    await arm();
  };
  const arm = async (): Promise<void> => {
    stopTimer();
    if (!isStarted) return;
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
    stopTimer();
    stopTimer = clock.after(Math.max(0, soonest - clock.now()), look);
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
      stopTimer();
    },
    look,
    async runNow(job) {
      const why = deps.blocked();
      if (why !== undefined) throw scheduleOff(why);
      return await inTurn(async () => {
        await endCutOff(job);
        const claimed = await store.alone(job.id, async () => {
          const runs = await store.runs(job.id);
          if (running.has(job.id) || runs.some(({ status }) => status === undefined)) return undefined;
          const now = clock.now();
          const run = await newRun(job, 'manual', now);
          return (await store.claim(run)) ? run : undefined;
        });
        if (claimed === undefined) throw jobRunning(job.name);
        // It runs beside its times, and stays.
        const { deleteAfterRun: _stays, ...kept } = job;
        return { run: claimed, ended: begin(kept, claimed) };
      });
    },
    async settled() {
      await Promise.all(running.values());
      await looking;
    },
    stateOf,
  };
}

/** Up to when the times of a job are done. Pure. */
function handledUpTo(job: Job, runs: readonly JobRun[]): number {
  return Math.max(job.since, ...runs.filter(({ kind }) => kind === 'due').map(({ slot }) => slot));
}

/** @throws Error where a cron expression or a time zone is none */
export async function timesFor(when: Job['when']): Promise<Times> {
  if (when.kind !== 'cron') return plainTimes(when);
  const { cronTimes } = await import('./cronTimes.ts');
  return cronTimes(when.expr, when.tz);
}

const cutOffText = 'cut off: its window or program ended while it ran';

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
