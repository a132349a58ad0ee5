import { PincerError } from '../../base/errors.ts';
import { setBounded } from '../../base/setBounded.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { Clock } from '../../host/ports.ts';
import type { StartedRun } from '../gatewayPorts.ts';

interface EndedRun {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: RunOutcome;
}

/** The latest turns, for clients that wait for one. */
export interface RunWaits {
  note(runId: string, event: AgentEvent): void;
  /** Undefined where it runs on after that time. @throws PincerError `run_unknown`, `cancelled` */
  until(runId: string, timeoutMs: number, signal: AbortSignal): Promise<EndedRun | undefined>;
  /** What `start` gives; with a key that was used lately what it gave then. Rejects as it does. */
  once(key: string | undefined, start: () => Promise<StartedRun>): Promise<StartedRun>;
}

const maxRuns = 1_000;

interface TrackedRun {
  readonly startedAt: number;
  ended: EndedRun | undefined;
  readonly waiting: Set<() => void>;
}

export function createRunWaits(clock: Pick<Clock, 'now' | 'after'>): RunWaits {
  const runs = new Map<string, TrackedRun>();
  const keys = new Map<string, Promise<StartedRun>>();
  const begin = (runId: string): TrackedRun => {
    const known = runs.get(runId);
    if (known !== undefined) return known;
    const run: TrackedRun = { startedAt: clock.now(), ended: undefined, waiting: new Set() };
    setBounded(runs, runId, run, maxRuns);
    return run;
  };
  return {
    note(runId, event) {
      if (event.type === 'run_started') begin(runId);
      if (event.type !== 'run_ended') return;
      // One that was stopped before a model stood has no start.
      const run = begin(runId);
      run.ended = { startedAt: run.startedAt, endedAt: clock.now(), outcome: event.outcome };
      for (const wake of run.waiting) wake();
    },
    async until(runId, timeoutMs, signal) {
      const run = runs.get(runId);
      if (run === undefined) throw new PincerError('run_unknown', `There is no run ${runId}.`);
      if (run.ended === undefined)
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            stopWaiting();
            run.waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          const stopWaiting = clock.after(timeoutMs, wake);
          run.waiting.add(wake);
          signal.addEventListener('abort', wake, { once: true });
        });
      return run.ended;
    },
    async once(key, start) {
      const known = key === undefined ? undefined : keys.get(key);
      if (known !== undefined) return await known;
      const started = start();
      if (key !== undefined) {
        setBounded(keys, key, started, maxRuns);
        // What could not begin may be tried again.
        started.catch(() => keys.delete(key));
      }
      const run = await started;
      // Clients may wait for it before a model stands.
      begin(run.runId);
      return run;
    },
  };
}
