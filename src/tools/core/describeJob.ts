import { foldReturns } from '../../sandbox/createAnsiStripper.ts';
import type { Job, JobEnd } from '../../sandbox/backgroundJob.ts';
import { truncate } from '../../base/text.ts';

/** How a command ended, for people and plugins. */
interface JobDetails {
  readonly status: 'running' | 'completed' | 'failed' | 'timeout' | 'killed';
  /** Of the job, as the process tool takes it; undefined where nothing more can be asked of it. */
  readonly sessionId?: string;
  readonly command: string;
  readonly workdir: string;
  readonly host: 'local' | 'sandbox';
  /** True where no shell read the line. */
  readonly withoutShell: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
}

export function jobDetails(job: Job, options: { readonly isKept: boolean }): JobDetails {
  const { command, workdir, host, withoutShell } = job;
  const end = job.end();
  return {
    status: end === undefined ? 'running' : statusOf(end),
    ...(options.isKept ? { sessionId: job.id } : {}),
    command: truncate(command, 2_000),
    workdir,
    host,
    withoutShell,
    ...(end?.code === undefined ? {} : { exitCode: end.code }),
    ...(end?.signal === undefined ? {} : { signal: end.signal }),
    durationMs: Math.round(job.runningMs()),
  };
}

function statusOf({ cause, code }: JobEnd): JobDetails['status'] {
  if (cause !== 'itself') return cause;
  return code === 0 ? 'completed' : 'failed';
}

/** `Exit code 0 after 1.2 s, on this machine, without a shell`. */
export function describeEnd(job: Job, end: JobEnd): string {
  const how = end.code === undefined ? `Ended by ${end.signal ?? 'a signal'}` : `Exit code ${end.code}`;
  const why = { itself: '', timeout: ' because its time was up', killed: ' because it was killed' }[
    end.cause
  ];
  return `${how}${why} after ${duration(end.durationMs)}, ${describePlace(job)}`;
}

/** `on this machine, without a shell`. */
export function describePlace({ host, withoutShell }: Pick<Job, 'host' | 'withoutShell'>): string {
  return `${host === 'local' ? 'on this machine' : 'in the sandbox'}, ${withoutShell ? 'without a shell' : 'by a shell'}`;
}

/** `0.4 s`, `75 s`, `12 min`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Text of the first and the last of a command's output within `max` characters, with a note between them. */
interface CutOutput {
  readonly text: string;
  readonly isCut: boolean;
}

/** Room for the note about what was left out. */
const noteChars = 200;

/** Pure. The last is worth more than the first: errors stand there. */
export function cutOutput(job: Pick<Job, 'id' | 'output'>, max: number): CutOutput {
  const { text, head, total, dropped } = job.output();
  const whole = foldReturns(text).replace(/\n+$/u, '');
  if (dropped === 0 && whole.length <= max)
    return { text: whole === '' ? '[No output.]' : whole, isCut: false };
  const room = Math.max(0, max - noteChars);
  const first = wholeLines(foldReturns(head).slice(0, Math.floor(room / 4)), 'first');
  const last = wholeLines(whole.slice(-(room - first.length)), 'last');
  // Lines of the log count from what is kept.
  const offset = dropped === 0 ? first.split('\n').length + 1 : 1;
  const left = total - first.length - last.length;
  const note = `[About ${left} of ${total} characters left out. Read on with process: {"action":"log","sessionId":"${job.id}","offset":${offset}}]`;
  return { text: [first, note, last].filter((part) => part !== '').join('\n\n'), isCut: true };
}

/** Without the line that was cut, where there are others. */
function wholeLines(text: string, which: 'first' | 'last'): string {
  const at = which === 'first' ? text.lastIndexOf('\n') : text.indexOf('\n');
  if (at === -1) return text;
  return which === 'first' ? text.slice(0, at) : text.slice(at + 1);
}
