import { randomUUID } from 'node:crypto';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { inertLine } from '../base/text.ts';
import type { HeartbeatConfig } from '../config/sections/scheduleSection.ts';
import { createJobRunner, timesFor } from './createJobRunner.ts';
import type { Job, JobOwner } from './job.ts';
import { readWhen, minIntervalMs } from './readWhen.ts';
import type { JobEvent, Schedule, ScheduleDeps, JobInput } from './schedule.ts';
import { jobFixed, jobInvalid, jobTooMany, jobUnknown } from './scheduleErrors.ts';

const maxJobs = 100;
const maxJobsOfPlugin = 20;
/** The job that the config's heartbeat makes. */
export const heartbeatId = 'heartbeat';

export function createSchedule(deps: ScheduleDeps): Schedule {
  const { clock, store } = deps;
  const changed: Emitter<void> = createEmitter();
  const happened: Emitter<JobEvent> = createEmitter();
  const runner = createJobRunner({
    ...deps,
    tell(event) {
      happened.fire(event);
      changed.fire();
    },
    changed: () => changed.fire(),
  });
  /** Changes of this process, one after the other. */
  const inTurn = createSerialQueue();
  const tell = async (action: JobEvent['action'], job: Job): Promise<void> => {
    happened.fire({ action, state: await runner.stateOf(job) });
    changed.fire();
  };
  const mustFind = async (id: string): Promise<Job> => {
    const job = await store.job(id);
    if (job === undefined) throw jobUnknown(id);
    return job;
  };
  const checkTimes = async (when: Job['when']): Promise<number | undefined> => {
    const times = await timesFor(when).catch((error: unknown) => {
      throw jobInvalid(errorMessage(error));
    });
    const first = times.next(clock.now());
    if (when.kind !== 'cron') return first;
    if (first === undefined) throw jobInvalid(`"${when.expr}" never comes`);
    // Of the whole minute: of its times some may have passed by now.
    const start = times.next(first - (first % minIntervalMs) - 1) ?? first;
    const second = times.next(start);
    if (second !== undefined && second - start < minIntervalMs)
      throw jobInvalid(`"${when.expr}" comes more often than once a minute`);
    return first;
  };
  const checkRoom = async (by: JobOwner): Promise<void> => {
    const jobs = await store.jobs();
    if (jobs.length >= maxJobs) throw jobTooMany(maxJobs, 'in this workspace');
    const own = jobs.filter((each) => each.by.kind === 'plugin' && each.by.pluginId === pluginOf(by));
    if (by.kind === 'plugin' && own.length >= maxJobsOfPlugin)
      throw jobTooMany(maxJobsOfPlugin, `of plugin ${by.pluginId}`);
  };

  return {
    onDidChange: changed.event,
    onDidHappen: happened.event,
    start: runner.start,
    stop: runner.stop,
    settled: runner.settled,
    blocked: deps.blocked,
    async reconcile() {
      const { heartbeat } = deps.config();
      await inTurn(async () => {
        const job = await store.job(heartbeatId);
        if (heartbeat === undefined) {
          if (job === undefined) return;
          await tell('removed', job);
          await store.remove(heartbeatId);
          return;
        }
        const wanted = heartbeatJob(heartbeat, job, clock.now());
        if (wanted === job) return;
        await store.put(wanted);
        await tell(job === undefined ? 'added' : 'updated', wanted);
      });
      runner.look();
    },
    firstTime: async (when) => await checkTimes(readWhen(when, clock.now())),
    list: async () => await Promise.all((await store.jobs()).map(runner.stateOf)),
    get: async (id) => await runner.stateOf(await mustFind(id)),
    async add(jobInput, by) {
      const now = clock.now();
      const when = readWhen(jobInput.when, now);
      await checkTimes(when);
      const job: Job = {
        version: 1,
        id: randomUUID().slice(0, 8),
        ...textsOf(jobInput),
        agentId: jobInput.agentId ?? 'main',
        isEnabled: jobInput.isEnabled ?? true,
        when,
        missed: jobInput.missed ?? 'once',
        ...(jobInput.sessionId === undefined ? {} : { sessionId: jobInput.sessionId }),
        ...(jobInput.limits === undefined ? {} : { limits: jobInput.limits }),
        ...(jobInput.deleteAfterRun === undefined ? {} : { deleteAfterRun: jobInput.deleteAfterRun }),
        ...deliveryOf(jobInput.delivery),
        by,
        createdAt: now,
        updatedAt: now,
        since: now,
      };
      await inTurn(async () => {
        await checkRoom(by);
        await store.put(job);
        await tell('added', job);
      });
      runner.look();
      return job;
    },
    async update(id, change) {
      const now = clock.now();
      const when = change.when === undefined ? undefined : readWhen(change.when, now);
      if (when !== undefined) await checkTimes(when);
      const next = await inTurn(async () => {
        const job = await mustFind(id);
        const {
          isEnabled = job.isEnabled,
          missed = job.missed,
          agentId = job.agentId,
          limits,
          deleteAfterRun,
        } = change;
        if (job.by.kind === 'heartbeat' && Object.keys(change).some((key) => key !== 'isEnabled'))
          throw jobFixed(id);
        const isAnew = when !== undefined || (isEnabled && !job.isEnabled);
        const { delivery: before, ...rest } = job;
        const updated: Job = {
          ...rest,
          ...deliveryOf(change.delivery ?? before),
          ...textsOf({ ...job, ...change }),
          isEnabled,
          missed,
          agentId,
          ...(limits === undefined ? {} : { limits }),
          ...(deleteAfterRun === undefined ? {} : { deleteAfterRun }),
          ...(when === undefined ? {} : { when }),
          updatedAt: now,
          // What passed while it was paused, or by its old times, is not made up for.
          since: isAnew ? now : job.since,
        };
        await store.put(updated);
        await tell('updated', updated);
        return updated;
      });
      runner.look();
      return next;
    },
    async remove(id) {
      await inTurn(async () => {
        const job = await mustFind(id);
        if (job.by.kind === 'heartbeat') throw jobFixed(id);
        const state = await runner.stateOf(job);
        await store.remove(id);
        happened.fire({ action: 'removed', state: { ...state, next: undefined } });
        changed.fire();
      });
      runner.look();
    },
    runNow: async (id) => await runner.runNow(await mustFind(id)),
    async history(id) {
      await mustFind(id);
      return await store.runs(id);
    },
    dispose() {
      runner.stop();
      changed.dispose();
      happened.dispose();
    },
  };
}

/** @throws PincerError `job_invalid` */
function textsOf({
  name,
  description,
  prompt,
}: Readonly<Partial<Record<'name' | 'prompt' | 'description', string | undefined>>>): Pick<
  Job,
  'name' | 'prompt' | 'description'
> {
  const line = inertLine(name ?? '', 100);
  const about = description === undefined ? '' : inertLine(description, 500);
  if (line === '') throw jobInvalid('it has no name');
  if (prompt === undefined || prompt.trim() === '' || prompt.length > 20_000)
    throw jobInvalid('its prompt is empty or longer than 20000 characters');
  return { name: line, prompt, ...(about === '' ? {} : { description: about }) };
}

function deliveryOf(delivery: JobInput['delivery']): Pick<Job, 'delivery'> {
  return delivery === undefined || delivery === 'none' ? {} : { delivery };
}

function pluginOf(by: JobOwner): string | undefined {
  return by.kind === 'plugin' ? by.pluginId : undefined;
}

/** The same job where it is as the config wants it. Pure. */
function heartbeatJob({ everyMs, agentId, prompt }: HeartbeatConfig, job: Job | undefined, now: number): Job {
  const isSameTime = job?.when.kind === 'every' && job.when.everyMs === everyMs;
  if (job !== undefined && isSameTime && job.agentId === agentId && job.prompt === prompt) return job;
  return {
    version: 1,
    id: heartbeatId,
    name: 'Heartbeat',
    agentId,
    isEnabled: job?.isEnabled ?? true,
    when: isSameTime ? job.when : { kind: 'every', everyMs, anchor: now },
    missed: 'skip',
    prompt,
    by: { kind: 'heartbeat' },
    createdAt: job?.createdAt ?? now,
    updatedAt: now,
    since: isSameTime ? job.since : now,
  };
}
