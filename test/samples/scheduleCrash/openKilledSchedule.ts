import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import type { Clock, FileSystem, Log } from '../../../src/host/ports.ts';
import { createJobStore, type JobStore } from '../../../src/schedule/jobStore.ts';
import { createSchedule } from '../../../src/schedule/createSchedule.ts';
import type { Schedule, ScheduleDeps } from '../../../src/schedule/schedule.ts';

/** A schedule over a folder that processes share which are killed. */
export function openKilledSchedule(
  parts: Pick<ScheduleDeps, 'runTurn' | 'report'> & {
    readonly folder: string;
    readonly clock: Clock;
    readonly fs: FileSystem;
    readonly log: Log;
  },
): { readonly schedule: Schedule; readonly store: JobStore } {
  const store = createJobStore({ ...parts, owner: createProcessOwner(nodeProcessTimes(), process.pid) });
  const schedule = createSchedule({
    ...parts,
    store,
    config: () => ({
      enabled: true,
      questions: 'review',
      limits: { maxTokens: 1, maxCost: 1, maxMs: 1 },
      heartbeat: undefined,
    }),
    blocked: () => undefined,
  });
  return { schedule, store };
}
