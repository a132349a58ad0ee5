// Threat: a job runs twice, in two windows or after a crash, and what it does is done twice. So a run is a file that can be made once,
// and it lies on the disk before the turn begins; what has no end there after its process died is told, and never begun again by itself.
import { join } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { ifMissing } from '../host/ifMissing.ts';
import { createWriterLock } from '../host/createWriterLock.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import { readJob, readRun, type Job, type JobRun } from './job.ts';
import { jobInvalid } from './scheduleErrors.ts';

/** Jobs and their runs on disk, one file each. Everything rejects with `io_*` where the disk does. */
export interface JobStore {
  /** Those that can be read, the oldest first. */
  jobs(): Promise<readonly Job[]>;
  job(id: string): Promise<Job | undefined>;
  /** @throws PincerError `job_invalid` where it could not be read again */
  put(job: Job): Promise<void>;
  /** The job and its runs. */
  remove(id: string): Promise<void>;
  /** Newest first. */
  runs(jobId: string): Promise<readonly JobRun[]>;
  /** Writes the first record of a run; false where there is one for this time already. */
  claim(run: JobRun): Promise<boolean>;
  /** Writes what is known of a run meanwhile. */
  note(run: JobRun): Promise<void>;
  /** Writes what became of a run; the oldest ones of the job go, and all where the job has gone meanwhile. */
  finish(run: JobRun): Promise<void>;
  /** Lets one process at a time work on a job; undefined where another one does. */
  alone<T>(jobId: string, work: () => Promise<T>): Promise<T | undefined>;
  /** True for a run that has no end and whose process lives no more. */
  isCutOff(run: JobRun): Promise<boolean>;
  /** Names this process in runs. */
  owner(): Promise<string>;
}

interface JobStoreDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly owner: ProcessOwner;
  /** Absolute: `<state>/schedule`. */
  readonly folder: string;
  /** Told of a file that can't be read. */
  readonly report: (diagnostic: Diagnostic) => void;
}

/** A prompt of the longest, each of its characters escaped, has room. */
const maxFileBytes = 200_000;
/** Runs of one job that stay. */
const maxRuns = 50;

export function createJobStore({ fs, clock, owner, folder, report }: JobStoreDeps): JobStore {
  const jobFile = (id: string): string => join(folder, 'jobs', `${id}.json`);
  const runFolder = (jobId: string): string => join(folder, 'runs', jobId);
  const runFile = ({ jobId, kind, slot }: Pick<JobRun, 'jobId' | 'kind' | 'slot'>): string =>
    join(runFolder(jobId), `${String(slot)}-${kind}.json`);
  const told = new Set<string>();
  /** Runs with an end, by file: they never change any more. */
  const ended = new Map<string, JobRun>();

  const read = async <T>(path: string, parse: (value: unknown) => T | undefined): Promise<T | undefined> => {
    try {
      const value = parse(parseJson(await fs.readText(path, maxFileBytes)));
      if (value !== undefined) return value;
    } catch (error) {
      if (error instanceof PincerError && error.code === 'io_not_found') return undefined;
      if (!(error instanceof PincerError) || error.code !== 'io_too_large') throw error;
    }
    if (!told.has(path))
      report(unreadableState(path, 'A scheduled job can not be read and does not run', hint));
    told.add(path);
    return undefined;
  };
  const namesIn = async (path: string): Promise<readonly string[]> => {
    const entries = await fs.readDirectory(path).catch(ifMissing([]));
    return entries.map(({ name }) => name).filter((name) => name.endsWith('.json'));
  };
  /**
   * The newest due run says up to where the job's times are handled, and the newest whose time has come where a clock was ahead: neither is
   * ever among the oldest.
   */
  const prune = async (jobId: string): Promise<void> => {
    const names = [...(await namesIn(runFolder(jobId)))].sort((a, b) => slotOf(b) - slotOf(a));
    const due = names.filter((name) => name.endsWith('-due.json'));
    const come = due.filter((name) => slotOf(name) <= clock.now());
    const kept = new Set([...names.slice(0, maxRuns), ...due.slice(0, 1), ...come.slice(0, 1)]);
    for (const name of names.filter((each) => !kept.has(each))) {
      const path = join(runFolder(jobId), name);
      ended.delete(path);
      await fs.remove(path);
    }
  };

  return {
    async jobs() {
      const found: Job[] = [];
      for (const name of await namesIn(join(folder, 'jobs'))) {
        const job = await read(join(folder, 'jobs', name), readJob);
        if (job !== undefined) found.push(job);
      }
      return found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    job: (id) => read(jobFile(id), readJob),
    async put(job) {
      const text = `${JSON.stringify(job, undefined, 2)}\n`;
      // It would be a job that nobody sees or removes, and that counts for no limit.
      if (Buffer.byteLength(text) > maxFileBytes || readJob(parseJson(text)) === undefined)
        throw jobInvalid('what is said of it is too long, or no text');
      await fs.writeFile(jobFile(job.id), text, 'private');
    },
    async remove(id) {
      await fs.remove(jobFile(id));
      for (const path of ended.keys()) if (path.startsWith(join(runFolder(id), '/'))) ended.delete(path);
      await fs.remove(runFolder(id));
      await fs.remove(join(folder, 'locks', id));
    },
    async runs(jobId) {
      const found: JobRun[] = [];
      for (const name of await namesIn(runFolder(jobId))) {
        const path = join(runFolder(jobId), name);
        const run = ended.get(path) ?? (await read(path, readRun));
        if (run?.status !== undefined) ended.set(path, run);
        if (run !== undefined) found.push(run);
      }
      return found.sort((a, b) => b.startedAt - a.startedAt || b.slot - a.slot);
    },
    async claim(run) {
      const path = runFile(run);
      if (!(await fs.createFile(path, JSON.stringify(run), 'private'))) return false;
      // Power loss must not take it back either.
      await fs.appendDurably(path, '\n', 'private');
      return true;
    },
    note: (run) => fs.writeFile(runFile(run), `${JSON.stringify(run)}\n`, 'private'),
    async finish(run) {
      await fs.writeFile(runFile(run), `${JSON.stringify(run)}\n`, 'private');
      if ((await fs.stat(jobFile(run.jobId))) === undefined) await fs.remove(runFolder(run.jobId));
      else await prune(run.jobId);
    },
    async alone(jobId, work) {
      const lock = createWriterLock({ fs, owner, clock, folder: join(folder, 'locks', jobId) });
      if (!(await lock.tryAcquire())) return undefined;
      try {
        return await work();
      } finally {
        await lock.release();
      }
    },
    async isCutOff({ status, owner: who }) {
      return status === undefined && !(await owner.isAlive(who));
    },
    owner: () => owner.id(),
  };
}

const hint = 'Remove the file, or put right what is wrong with it.';

function slotOf(name: string): number {
  return Number.parseInt(name, 10);
}
