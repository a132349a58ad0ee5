import type { JobRun } from '../../schedule/job.ts';
import type { JobState } from '../../schedule/schedule.ts';

/** A job; the argument of its commands. */
export interface JobRow {
  readonly kind: 'job';
  readonly jobId: string;
  readonly state: JobState;
  /** Its run has asked something, and goes on once that is answered. */
  readonly isAsking: boolean;
  readonly children: readonly RunRow[];
}

/** One run of a job; its session and its trace can be shown once its turn has begun. */
export interface RunRow {
  readonly kind: 'run';
  readonly jobId: string;
  readonly run: JobRun;
  readonly sessionId?: string;
  readonly runId?: string;
}

export type ScheduleRow = JobRow | RunRow;

/** Runs that a row shows; the history command has all. */
const shownRuns = 10;

/** Jobs that run first, then by when they are due; paused and done ones last. `asking`: the ids of runs that wait for an answer. Pure. */
export function planScheduleRows(
  jobs: readonly { readonly state: JobState; readonly runs: readonly JobRun[] }[],
  asking: ReadonlySet<string>,
): readonly JobRow[] {
  const rank = ({ running, next }: JobState): number =>
    running !== undefined ? Number.NEGATIVE_INFINITY : (next ?? Number.POSITIVE_INFINITY);
  return jobs
    .map(({ state, runs }) => ({
      kind: 'job' as const,
      jobId: state.job.id,
      state,
      isAsking: state.running?.runId !== undefined && asking.has(state.running.runId),
      children: runs.slice(0, shownRuns).map(toRunRow),
    }))
    .sort((a, b) => (rank(a.state) === rank(b.state) ? 0 : rank(a.state) - rank(b.state)));
}

function toRunRow(run: JobRun): RunRow {
  const { jobId, sessionId, runId } = run;
  return {
    kind: 'run',
    jobId,
    run,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(runId === undefined ? {} : { runId }),
  };
}

/** Tells a row from its siblings. Pure. */
export function scheduleRowKey(row: ScheduleRow): string {
  return row.kind === 'job' ? row.jobId : `${String(row.run.slot)}-${row.run.kind}`;
}
