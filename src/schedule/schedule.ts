import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { ScheduleConfig } from '../config/sections/scheduleSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { Delivery, Job, JobOwner, JobRun, MissedRunPolicy, RunStatus } from './job.ts';
import type { JobStore } from './jobStore.ts';
import type { WhenText } from './readWhen.ts';

/** A job as somebody wants it. */
export interface JobInput {
  readonly name: string;
  readonly description?: string;
  readonly prompt: string;
  readonly when: WhenText;
  /** Default `once`. */
  readonly missed?: MissedRunPolicy;
  /** Default main. */
  readonly agentId?: string;
  /** The session that each run goes on with; default: each has its own. */
  readonly sessionId?: string;
  readonly limits?: Job['limits'];
  readonly deleteAfterRun?: boolean;
  /** Where its answers go, too; `none` takes that away. */
  readonly delivery?: Delivery | 'none';
  /** Default true. */
  readonly isEnabled?: boolean;
}

/** A job, and how it stands. Times are milliseconds since the epoch. */
export interface JobState {
  readonly job: Job;
  /** When it is due next; undefined where it is paused or done. */
  readonly next: number | undefined;
  readonly last: JobRun | undefined;
  /** The run that goes on now, also in another window. */
  readonly running: JobRun | undefined;
  /** It was to run once, and that time has come. */
  readonly isDone: boolean;
  /** It is due, was started, or has its answer, and waits until one of those has ended that its process works on. */
  readonly waitsForPlace: boolean;
}

/** What happened to a job; `finished` with its run. `scheduled` follows it where the job is due again. */
export interface JobEvent {
  readonly action: 'added' | 'updated' | 'removed' | 'started' | 'finished' | 'scheduled';
  readonly state: JobState;
  readonly run?: JobRun;
}

/** What is known of a run once its turn has begun. */
export type BegunTurn = Pick<JobRun, 'sessionId' | 'sessionKey' | 'runId'>;

/** What is told of a run while its turn goes on. */
export interface TurnPort {
  readonly begun: (turn: BegunTurn) => void;
  /** From now on it only waits for an answer of a person, and gives its place to others. */
  readonly waits: () => void;
  /** It has its answer: resolves once it has a place again. Never rejects. */
  readonly goesOn: () => Promise<void>;
}

/** How the turn of a run ended. */
export interface EndedTurn extends Pick<
  JobRun,
  | 'error'
  | 'summary'
  | 'deliveryStatus'
  | 'deliveryError'
  | 'model'
  | 'tokens'
  | 'cost'
  | 'sessionId'
  | 'sessionKey'
  | 'runId'
> {
  readonly status: RunStatus;
}

/** The jobs of a workspace: what there is, and when each runs. */
export interface Schedule extends Disposable {
  readonly onDidChange: Event<void>;
  /** What happens to jobs in this process, for plugins. */
  readonly onDidHappen: Event<JobEvent>;
  /** From now on jobs start by themselves, as long as `blocked` gives nothing. Resolves once what died is told. */
  readonly start: () => Promise<void>;
  /** No further job starts by itself. */
  readonly stop: () => void;
  /** Resolves when none runs here. */
  readonly settled: () => Promise<void>;
  /** Why no job may run now. */
  readonly blocked: () => string | undefined;
  /** What the config wants counts from now on, such as heartbeat turns. */
  readonly reconcile: () => Promise<void>;
  /** When a job would first be due, so that a person sees it before there is one. @throws PincerError `job_invalid` */
  readonly firstTime: (when: WhenText) => Promise<number | undefined>;
  readonly list: () => Promise<readonly JobState[]>;
  /** @throws PincerError `job_unknown` */
  readonly get: (id: string) => Promise<JobState>;
  /** @throws PincerError `job_invalid`, `job_too_many` */
  readonly add: (jobInput: JobInput, by: JobOwner) => Promise<Job>;
  /** @throws PincerError `job_unknown`, `job_invalid`, `job_fixed` */
  readonly update: (id: string, change: Partial<JobInput>) => Promise<Job>;
  /** @throws PincerError `job_unknown`, `job_fixed` */
  readonly remove: (id: string) => Promise<void>;
  /** Starts it beside its times, now or once there is a place (`run.waitsFor`). `ended` never rejects. @throws PincerError `job_unknown`, `job_running`, `schedule_off` */
  readonly runNow: (id: string) => Promise<{ readonly run: JobRun; readonly ended: Promise<JobRun> }>;
  /** Newest first. @throws PincerError `job_unknown` */
  readonly history: (id: string) => Promise<readonly JobRun[]>;
}

export interface ScheduleDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: JobStore;
  readonly config: () => ScheduleConfig;
  /** Why no job may run now, as the end of a sentence. */
  readonly blocked: () => string | undefined;
  /** Runs the turn of a job; `last` is its run before this one. Rejects where it can't begin. */
  readonly runTurn: (job: Job, last: JobRun | undefined, port: TurnPort) => Promise<EndedTurn>;
  readonly report: (diagnostic: Diagnostic) => void;
}
