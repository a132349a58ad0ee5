import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import { inertLine } from '../base/text.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { GatewayHookContext } from '../hooks/payloads/hookContexts.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createCronTool } from '../schedule/cronTool.ts';
import { createSchedule, heartbeatId } from '../schedule/createSchedule.ts';
import { createJobStore } from '../schedule/jobStore.ts';
import { createPluginSchedule, cronChangedEvent, type PluginSchedule } from '../schedule/pluginSchedule.ts';
import { runJobTurn, type JobTurnDeps } from '../schedule/runJobTurn.ts';
import type { Delivery, JobRun } from '../schedule/job.ts';
import type { BegunTurn, Schedule } from '../schedule/schedule.ts';
import { jobPluginGone } from '../schedule/scheduleErrors.ts';
import { gatewayContext } from './createShutdown.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface ScheduleSideParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  /** The config may have changed. */
  readonly onDidChange: Event<void>;
  /** Asked when a job runs, never before. */
  readonly turns: Omit<JobTurnDeps, 'config' | 'signal'> & {
    readonly sessionOfKey: (key: string) => Promise<string | undefined>;
  };
  /** Sends the answer of a job to whom the user has named. Rejects where it did not go out. */
  readonly announce: (delivery: Delivery, text: string, run: BegunTurn) => Promise<void>;
  readonly hooks: HookRunner;
  /** Whether a plugin is there and may lead conversations now. */
  readonly mayLead: (pluginId: string) => boolean;
}

/** Jobs that start by themselves, as front ends, agents and plugins reach them. */
interface ScheduleSide extends Disposable {
  readonly schedule: Schedule;
  readonly tool: AgentTool;
  readonly forPlugins: PluginSchedule;
}

export function createScheduleSide(parts: ScheduleSideParts): ScheduleSide {
  const { input, state, hooks } = parts;
  const { host } = input;
  const { processes } = host;
  const config = () => state.config().schedule;
  const schedule = createSchedule({
    ...host,
    store: createJobStore({
      ...host,
      owner: createProcessOwner((pid) => processes.startTimeOf(pid), processes.ownPid),
      folder: join(input.stateFolder, 'schedule'),
      report: state.report,
    }),
    config,
    blocked() {
      if (!state.isTrusted()) return 'the workspace is not trusted';
      if (!config().enabled) return 'schedule.enabled of the config is off';
      return state.problem()?.message;
    },
    async runTurn(job, last, port) {
      if (job.by.kind === 'plugin' && !parts.mayLead(job.by.pluginId)) throw jobPluginGone(job.by.pluginId);
      let run: BegunTurn = {};
      const noted = (turn: BegunTurn): void => {
        run = turn;
        port.begun(turn);
      };
      const turn = { ...parts.turns, config, signal: state.signal };
      const { answer, ...ended } = await runJobTurn(turn, job, last, { ...port, begun: noted });
      if (ended.status !== 'ok' || ended.summary === undefined || job.delivery === undefined) return ended;
      return { ...ended, ...(await deliver(parts, job.name, job.delivery, answer, run)) };
    },
    report: state.report,
  });
  const context = (): GatewayHookContext => gatewayContext(state.folders());
  let snapshot = new AbortController();
  const tellReconciled = (reason: 'startup' | 'reload'): void => {
    snapshot.abort();
    snapshot = new AbortController();
    if (!hooks.has('cron_reconciled')) return;
    const event = { reason, enabled: schedule.blocked() === undefined };
    void hooks.observe('cron_reconciled', event, context());
  };
  const heard = schedule.onDidHappen((event) => {
    if (hooks.has('cron_changed')) void hooks.observe('cron_changed', cronChangedEvent(event), context());
  });
  let isStarted = false;
  /** What counted when plugins were last told. */
  let told: unknown;
  const facts = (): unknown => [config(), schedule.blocked()];
  const reconcile = async (reason: 'startup' | 'reload'): Promise<void> => {
    told = facts();
    try {
      await schedule.reconcile();
      tellReconciled(reason);
    } catch (error) {
      host.log.write('error', `The schedule could not be updated: ${errorMessage(error)}`);
    }
  };
  const followed = parts.onDidChange(() => {
    if (isStarted && !isDeepStrictEqual(told, facts())) void reconcile('reload');
  });
  return {
    schedule: {
      ...schedule,
      async start() {
        if (isStarted) return;
        isStarted = true;
        await schedule.start();
        await reconcile('startup');
      },
    },
    tool: createCronTool({ schedule, layout: state.layout }),
    forPlugins: createPluginSchedule({
      schedule,
      sessionOfKey: (key) => parts.turns.sessionOfKey(key),
      now: () => host.clock.now(),
      heartbeatId,
      snapshot: () => snapshot.signal,
    }),
    dispose() {
      snapshot.abort();
      heard.dispose();
      followed.dispose();
      schedule.dispose();
    },
  };
}

/** What could not go out is told, and not sent again: the answer stands in the job's session. */
async function deliver(
  { announce, state }: Pick<ScheduleSideParts, 'announce' | 'state'>,
  name: string,
  delivery: Delivery,
  answer: string,
  run: BegunTurn,
): Promise<Pick<JobRun, 'deliveryStatus' | 'deliveryError'>> {
  try {
    await announce(delivery, answer, run);
    return { deliveryStatus: 'delivered' };
  } catch (error) {
    const deliveryError = inertLine(errorMessage(error), 300);
    state.report({
      level: 'warn',
      code: 'job_not_delivered',
      message: `The answer of the scheduled job "${name}" did not go out: ${deliveryError}`,
      hint: 'Read it in the Schedule view. pincer channels status says how the channel stands.',
    });
    return { deliveryStatus: 'not-delivered', deliveryError };
  }
}
