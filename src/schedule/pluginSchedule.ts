// Threat: a plugin lets the user's agent work on its own words, at any time and again and again. So only a plugin that may lead
// conversations adds a job, changes its own jobs alone, has few of them, and reads of others neither prompts nor answers.
import { isRecord } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { CronChangedEvent } from '../hooks/payloads/lifecycleHooks.ts';
import type { Job, JobOwner, JobRun } from './job.ts';
import type { JobEvent, JobState, JobInput, Schedule } from './schedule.ts';
import { jobInvalid, jobsDenied, jobUnknown } from './scheduleErrors.ts';

/** Who asks. */
export interface SchedulingPlugin {
  readonly pluginId: string;
  /** True where the user lets it lead conversations; bundled plugins may. */
  readonly mayConverse: boolean;
  /** Called once it asks for what it may not: the place for a diagnostic with its fix. */
  readonly refused: () => void;
}

/** The schedule as plugins reach it (OpenClaw hooks, Gateway lifecycle; OpenClaw plugin API, Host hooks). */
export interface PluginSchedule {
  /** What `ctx.getCron()` gives: upstream's scheduler, as far as it is here. */
  cron(plugin: SchedulingPlugin): CronService;
  /** Aborts once what `cron_reconciled` told last holds no more. */
  snapshot(): AbortSignal;
  /** `scheduleSessionTurn`: undefined where it is not scheduled. @throws PincerError `plugin_schedule_denied`, `job_*` */
  scheduleTurn(plugin: SchedulingPlugin, params: unknown): Promise<unknown>;
  /** `unscheduleSessionTurnsByTag`. */
  unscheduleByTag(
    plugin: SchedulingPlugin,
    params: unknown,
  ): Promise<{ readonly removed: number; readonly failed: number }>;
  /** `requestHeartbeatNow`: why no heartbeat turn begins, or undefined once it is under way. Never rejects. */
  requestHeartbeat(plugin: SchedulingPlugin): Promise<string | undefined>;
  /** `runHeartbeatOnce`: the same, waited for. Never rejects. */
  runHeartbeat(plugin: SchedulingPlugin): Promise<HeartbeatResult>;
}

/** Upstream's shape. */
type HeartbeatResult =
  | { readonly status: 'ran'; readonly durationMs: number }
  | { readonly status: 'skipped' | 'failed'; readonly reason: string };

/** Upstream's `PluginHookGatewayCronService`. */
export interface CronService {
  isEnabled(): Promise<boolean>;
  list(options?: unknown): Promise<readonly Record<string, unknown>[]>;
  add(input: unknown): Promise<unknown>;
  update(id: unknown, patch: unknown): Promise<unknown>;
  remove(id: unknown): Promise<{ readonly removed: boolean }>;
  removeStaleJobFamily(family: unknown): Promise<number>;
}

interface PluginScheduleDeps {
  readonly schedule: Schedule;
  /** The session that a key stands for now. */
  readonly sessionOfKey: (key: string) => Promise<string | undefined>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly heartbeatId: string;
  readonly snapshot: () => AbortSignal;
}

/** How soon one heartbeat that a plugin asks for may follow another. Milliseconds. */
const heartbeatGapMs = 30_000;

export function createPluginSchedule(deps: PluginScheduleDeps): PluginSchedule {
  const { schedule } = deps;
  let lastHeartbeat = Number.NEGATIVE_INFINITY;

  const ownJobs = async ({ pluginId }: SchedulingPlugin): Promise<readonly Job[]> =>
    (await schedule.list()).flatMap(({ job }) =>
      job.by.kind === 'plugin' && job.by.pluginId === pluginId ? [job] : [],
    );
  const mustOwn = async (plugin: SchedulingPlugin, id: unknown): Promise<Job> => {
    const job = (await ownJobs(plugin)).find((each) => each.id === id);
    if (job === undefined) throw jobUnknown(inertLine(String(id), 60));
    return job;
  };
  const beginHeartbeat = async (plugin: SchedulingPlugin) => {
    requireAccess(plugin);
    const waits = lastHeartbeat + heartbeatGapMs - deps.now();
    if (waits > 0) return { reason: 'one ran less than 30 seconds ago' };
    try {
      const started = await schedule.runNow(deps.heartbeatId);
      lastHeartbeat = deps.now();
      return started;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { reason: 'code' in error && error.code === 'job_unknown' ? noHeartbeat : error.message };
    }
  };

  return {
    snapshot: deps.snapshot,
    cron: (plugin) => ({
      isEnabled: () => Promise.resolve(schedule.blocked() === undefined),
      async list(options) {
        const all = isRecord(options) && options['includeDisabled'] === true;
        const jobs = (await schedule.list()).filter(({ job }) => all || job.isEnabled);
        return jobs.map((state) => cronJobOf(state, plugin.mayConverse));
      },
      async add(input) {
        requireAccess(plugin);
        const { jobInput, by } = readCronInput(input, plugin.pluginId);
        const job = await schedule.add(jobInput, by);
        return cronJobOf(await schedule.get(job.id), true);
      },
      async update(id, patch) {
        requireAccess(plugin);
        const job = await mustOwn(plugin, id);
        await schedule.update(job.id, readCronPatch(patch));
        return cronJobOf(await schedule.get(job.id), true);
      },
      async remove(id) {
        requireAccess(plugin);
        const job = (await ownJobs(plugin)).find((each) => each.id === id);
        if (job === undefined) return { removed: false };
        await schedule.remove(job.id);
        return { removed: true };
      },
      async removeStaleJobFamily(family) {
        requireAccess(plugin);
        const { declarationKey, name } = isRecord(family) ? family : {};
        const stale = (await ownJobs(plugin)).filter(
          ({ by, name: own }) =>
            own === name &&
            by.kind === 'plugin' &&
            by.declarationKey !== undefined &&
            by.declarationKey !== declarationKey,
        );
        for (const job of stale) await schedule.remove(job.id);
        return stale.length;
      },
    }),
    async scheduleTurn(plugin, params) {
      requireAccess(plugin);
      const given = isRecord(params) ? params : {};
      const sessionKey = textOf(given['sessionKey']);
      const message = textOf(given['message']);
      if (sessionKey === undefined || message === undefined) return undefined;
      const sessionId = await deps.sessionOfKey(sessionKey);
      if (sessionId === undefined) return undefined;
      const tag = textOf(given['tag']);
      const job = await schedule.add(
        {
          name: textOf(given['name']) ?? inertLine(message, 40),
          prompt: message,
          when: sessionTurnTime(given, deps.now()),
          sessionId,
          ...(given['cron'] === undefined && given['deleteAfterRun'] !== false
            ? { deleteAfterRun: true }
            : {}),
        },
        { kind: 'plugin', pluginId: plugin.pluginId, ...(tag === undefined ? {} : { tag }) },
      );
      return { id: job.id, pluginId: plugin.pluginId, sessionKey, kind: 'session-turn' };
    },
    async unscheduleByTag(plugin, params) {
      const { sessionKey, tag } = isRecord(params) ? params : {};
      const sessionId = typeof sessionKey === 'string' ? await deps.sessionOfKey(sessionKey) : undefined;
      // Jobs without a session or a tag are no answer to one that is not known.
      if (sessionId === undefined || typeof tag !== 'string' || tag === '') return { removed: 0, failed: 0 };
      let removed = 0;
      let failed = 0;
      for (const job of await ownJobs(plugin)) {
        if (job.sessionId !== sessionId || job.by.kind !== 'plugin' || job.by.tag !== tag) continue;
        await schedule.remove(job.id).then(
          () => (removed += 1),
          () => (failed += 1),
        );
      }
      return { removed, failed };
    },
    async requestHeartbeat(plugin) {
      try {
        const begun = await beginHeartbeat(plugin);
        return 'reason' in begun ? begun.reason : undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    async runHeartbeat(plugin) {
      try {
        const begun = await beginHeartbeat(plugin);
        if ('reason' in begun) return { status: 'skipped', reason: begun.reason };
        const { startedAt, endedAt = deps.now(), status, error } = await begun.ended;
        return status === 'ok'
          ? { status: 'ran', durationMs: endedAt - startedAt }
          : { status: 'failed', reason: error ?? 'it failed' };
      } catch (error) {
        return { status: 'failed', reason: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

const noHeartbeat = 'there are no heartbeat turns: schedule.heartbeat.everyMinutes of the config is not set';

/** @throws PincerError `plugin_schedule_denied` */
function requireAccess({ pluginId, mayConverse, refused }: SchedulingPlugin): void {
  if (mayConverse) return;
  refused();
  throw jobsDenied(pluginId);
}

/** `cron_changed` as plugins are told it: neither prompts nor answers. Pure. */
export function cronChangedEvent({ action, state, run }: JobEvent): CronChangedEvent {
  const { job, next } = state;
  const [provider, ...model] = run?.model?.split('/') ?? [];
  return {
    action,
    jobId: job.id,
    job: cronJobOf(state, false),
    sessionTarget: sessionTargetOf(job),
    agentId: job.agentId,
    ...(next === undefined ? {} : { nextRunAtMs: next }),
    ...(run === undefined ? {} : { runAtMs: run.slot }),
    ...(run === undefined ? {} : idsOf(run)),
    ...(provider === undefined ? {} : { provider, model: model.join('/') }),
    ...(action === 'finished' && run !== undefined ? endOf(run) : {}),
  };
}

function idsOf({ sessionId, sessionKey, runId }: JobRun): Partial<CronChangedEvent> {
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(runId === undefined ? {} : { runId }),
  };
}

function endOf({
  status,
  error,
  startedAt,
  endedAt = startedAt,
  deliveryStatus,
}: JobRun): Partial<CronChangedEvent> {
  return {
    status: cronStatusOf(status),
    completionStatus: status === 'ok' ? 'succeeded' : status === 'interrupted' ? 'unknown' : 'failed',
    durationMs: endedAt - startedAt,
    delivered: deliveryStatus === 'delivered',
    deliveryStatus: deliveryStatus ?? 'not-requested',
    ...(error === undefined ? {} : { error }),
  };
}

function cronStatusOf(status: JobRun['status']): 'ok' | 'error' | 'skipped' {
  return status === 'ok' || status === 'skipped' ? status : 'error';
}

function sessionTargetOf({ sessionId, by }: Job): string {
  if (by.kind === 'heartbeat') return 'main';
  return sessionId === undefined ? 'isolated' : `session:${sessionId}`;
}

/** Upstream's `PluginHookGatewayCronJob`. Pure. */
function cronJobOf({ job, next, last, running }: JobState, withWords: boolean): Record<string, unknown> {
  const { when, by } = job;
  const schedule =
    when.kind === 'at'
      ? { kind: 'at', at: new Date(when.at).toISOString() }
      : when.kind === 'every'
        ? { kind: 'every', everyMs: when.everyMs, anchorMs: when.anchor }
        : { kind: 'cron', expr: when.expr, ...(when.tz === undefined ? {} : { tz: when.tz }) };
  return {
    id: job.id,
    ...(by.kind === 'plugin' && by.declarationKey !== undefined ? { declarationKey: by.declarationKey } : {}),
    agentId: job.agentId,
    name: job.name,
    ...(job.description === undefined ? {} : { description: job.description }),
    enabled: job.isEnabled,
    schedule,
    sessionTarget: sessionTargetOf(job),
    wakeMode: 'now',
    payload: { kind: 'agentTurn', ...(withWords ? { text: job.prompt } : {}) },
    state: {
      ...(next === undefined ? {} : { nextRunAtMs: next }),
      ...(running === undefined ? {} : { runningAtMs: running.startedAt }),
      ...(last === undefined
        ? {}
        : { lastRunAtMs: last.startedAt, lastRunStatus: cronStatusOf(last.status) }),
      ...(last?.error === undefined ? {} : { lastError: last.error }),
      ...(last?.endedAt === undefined ? {} : { lastDurationMs: last.endedAt - last.startedAt }),
    },
    createdAtMs: job.createdAt,
    updatedAtMs: job.updatedAt,
  };
}

/** @throws PincerError `job_invalid` */
function readCronInput(
  input: unknown,
  pluginId: string,
): { readonly jobInput: JobInput; readonly by: JobOwner } {
  const given = isRecord(input) ? input : {};
  const { name, prompt, when, ...rest } = readCronPatch(given);
  if (name === undefined || prompt === undefined || when === undefined)
    throw jobInvalid('a job needs a name, a schedule and a payload with a text');
  const declarationKey = textOf(given['declarationKey']);
  const by = {
    kind: 'plugin',
    pluginId,
    ...(declarationKey === undefined ? {} : { declarationKey }),
  } as const;
  return { jobInput: { ...rest, name, prompt, when }, by };
}

/** What is not there stays as it is. @throws PincerError `job_invalid` */
function readCronPatch(patch: unknown): Partial<JobInput> {
  const given = isRecord(patch) ? patch : {};
  const { schedule, payload } = given;
  const name = textOf(given['name']);
  const description = textOf(given['description']);
  const prompt = isRecord(payload) ? (textOf(payload['text']) ?? textOf(payload['message'])) : undefined;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(typeof given['enabled'] === 'boolean' ? { isEnabled: given['enabled'] } : {}),
    ...(isRecord(schedule) ? { when: readCronSchedule(schedule) } : {}),
  };
}

function readCronSchedule(schedule: Record<string, unknown>): JobInput['when'] {
  const { kind, expr, at, everyMs } = schedule;
  if (kind === 'cron' && typeof expr === 'string') {
    const tz = textOf(schedule['tz']);
    return { cron: expr, ...(tz === undefined ? {} : { tz }) };
  }
  if (kind === 'at' && typeof at === 'string') return { at };
  if (kind === 'every' && typeof everyMs === 'number')
    return { every: `${String(Math.round(everyMs / 1_000))}s` };
  throw jobInvalid(`a schedule of kind ${inertLine(String(kind), 30)} does not exist here`);
}

function sessionTurnTime(given: Record<string, unknown>, now: number): JobInput['when'] {
  const { at, delayMs, cron } = given;
  if (typeof cron === 'string') {
    const tz = textOf(given['tz']);
    return { cron, ...(tz === undefined ? {} : { tz }) };
  }
  const time = typeof delayMs === 'number' ? now + delayMs : at instanceof Date ? at.getTime() : at;
  if (typeof time === 'string') return { at: time };
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15)
    throw jobInvalid('at, delayMs or cron says when');
  return { at: new Date(time).toISOString() };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
