import { randomInt } from 'node:crypto';
import type { Disposable } from '../base/disposable.ts';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import type { Clock } from '../host/ports.ts';
import { createJobId } from './createJobId.ts';
import { operationsClosed, tooManyJobs } from './sandboxErrors.ts';
import type { ExecOperations, ExecRequest } from './execOperations.ts';
import { createJob, type Job } from './backgroundJob.ts';

/** Every command of this window: they survive the turn that started them, belong to its session and die with the window. */
export interface Jobs extends Disposable {
  /** Fires when a job was started, has ended or was forgotten. */
  readonly onDidChange: Event<void>;
  /**
   * @param about.timeoutMs ends it after that time
   * @throws PincerError `jobs_too_many`, `exec_closed`, or what the operations say
   */
  start(
    operations: ExecOperations,
    request: ExecRequest,
    about: { readonly sessionId: string; readonly timeoutMs: number },
  ): Promise<Job>;
  /** Oldest first; without a session, those of all. */
  list(sessionId?: string): readonly Job[];
  find(sessionId: string, id: string): Job | undefined;
  /** Leaves out one that has ended; one that runs stays. */
  forget(job: Job): void;
  /** Ends what a session has started, and forgets it. */
  endSession(sessionId: string): Promise<void>;
  /** Ends everything; resolves when it is gone. Nothing can be started afterwards. */
  close(): Promise<void>;
}

export interface JobsDeps {
  readonly clock: Clock;
  /** Most commands that run at the same time. Default 20. */
  readonly maxRunning?: number;
  /** Most ended ones that are kept. Default 20. */
  readonly maxEnded?: number;
  /** How long an ended one is kept. Milliseconds, default 30 minutes. */
  readonly keepMs?: number;
}

export function createJobs(deps: JobsDeps): Jobs {
  const { clock, maxRunning = 20, maxEnded = 20, keepMs = 30 * 60_000 } = deps;
  const changed: Emitter<void> = createEmitter();
  let jobs: readonly Job[] = [];
  let starting = 0;
  let closing: Promise<void> | undefined;

  const isClosing = (): boolean => closing !== undefined;
  const running = (): readonly Job[] => jobs.filter((job) => job.end() === undefined);
  const remove = (gone: readonly Job[]): void => {
    if (!jobs.some((job) => gone.includes(job))) return;
    jobs = jobs.filter((job) => !gone.includes(job));
    changed.fire();
  };
  const follow = async (job: Job): Promise<void> => {
    await job.ended;
    const ended = jobs.filter((each) => each.end() !== undefined);
    remove(ended.slice(0, Math.max(0, ended.length - maxEnded)));
    clock.after(keepMs, () => remove([job]));
    changed.fire();
  };
  const end = async (some: readonly Job[]): Promise<void> => {
    await Promise.all(some.map((job) => job.stop()));
    remove(some);
  };
  const startJob: Jobs['start'] = async (operations, request, { sessionId, timeoutMs }) => {
    const command = await operations.start(request);
    const id = createJobId((each) => jobs.some((job) => job.id === each), randomInt);
    const { workdir, hasInput } = request;
    const facts = {
      id,
      sessionId,
      command: request.command,
      workdir,
      host: operations.host,
      takesInput: hasInput,
    };
    const job = createJob(clock, facts, command, timeoutMs);
    jobs = [...jobs, job];
    void follow(job);
    changed.fire();
    return job;
  };
  const close = async (): Promise<void> => {
    await end(jobs);
    changed.dispose();
  };

  return {
    onDidChange: changed.event,
    async start(operations, request, about) {
      if (isClosing()) throw operationsClosed();
      if (running().length + starting >= maxRunning) throw tooManyJobs(maxRunning);
      starting += 1;
      try {
        const job = await startJob(operations, request, about);
        if (!isClosing()) return job;
        await job.stop();
        throw operationsClosed();
      } finally {
        starting -= 1;
      }
    },
    list: (sessionId) => jobs.filter((job) => sessionId === undefined || job.sessionId === sessionId),
    find: (sessionId, id) => jobs.find((job) => job.id === id && job.sessionId === sessionId),
    forget: (job) => {
      if (job.end() !== undefined) remove([job]);
    },
    endSession: (sessionId) => end(jobs.filter((job) => job.sessionId === sessionId)),
    close: () => (closing ??= close()),
    dispose: () => void (closing ??= close()),
  };
}
