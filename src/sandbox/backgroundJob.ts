import { createEmitter, type Event } from '../base/event.ts';
import type { Clock } from '../host/ports.ts';
import type { OutputStream } from '../host/processes.ts';
import { createAnsiStripper } from './createAnsiStripper.ts';
import { createTextRing } from './createTextRing.ts';
import type { RunningCommand } from './execOperations.ts';

/** How a command ended, and why: by itself, because its time was up, or because somebody ended it. */
export interface JobEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly cause: 'itself' | 'timeout' | 'killed';
  /** Milliseconds since the start. */
  readonly durationMs: number;
}

/** What a command has said, as plain text. Counts are in characters (UTF-16 units). */
interface JobOutput {
  /** The last of it: all where nothing was dropped. */
  readonly text: string;
  /** The first of it, kept whatever comes after. */
  readonly head: string;
  readonly total: number;
  /** How much of the beginning `text` lacks. */
  readonly dropped: number;
}

/** What came since somebody last looked. */
interface JobNews {
  readonly text: string;
  /** Characters left out before `text`, since too much came at once. */
  readonly skipped: number;
}

/** A command that runs or has run, from the moment it was started until it is forgotten. */
export interface Job {
  /** Two words, easy to say and to type. */
  readonly id: string;
  readonly sessionId: string;
  readonly command: string;
  /** Absolute path. */
  readonly workdir: string;
  readonly host: 'local' | 'sandbox';
  /** True where its line was read whole and no shell is involved. */
  readonly withoutShell: boolean;
  readonly takesInput: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Never rejects. */
  readonly ended: Promise<JobEnd>;
  /** Output as it comes, terminal sequences included. */
  readonly onOutput: Event<string>;
  /** Undefined while it runs. */
  end(): JobEnd | undefined;
  runningMs(): number;
  output(): JobOutput;
  /** The last of its output with terminal sequences, for a terminal that opens late. */
  rawOutput(): string;
  /** What is new since the last call. */
  takeNews(): JobNews;
  /** @throws PincerError `process_input_closed` */
  write(text: string): Promise<void>;
  endInput(): void;
  /** As Ctrl+C: it may go on. */
  interrupt(): void;
  /** Ends it with all it started; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Most characters of output that a job keeps, and most that one look at what is new gives (upstream's figures). */
const maxKept = 200_000;
const maxNews = 30_000;
const maxHead = 20_000;

/** What is known of a job before it runs. */
type JobFacts = Pick<Job, 'id' | 'sessionId' | 'command' | 'workdir' | 'host' | 'takesInput'>;

/** A job around a command that has just been started. `timeoutMs` ends it. */
export function createJob(clock: Clock, facts: JobFacts, command: RunningCommand, timeoutMs: number): Job {
  const startedAt = clock.now();
  const started = clock.monotonic();
  const plain = createTextRing(maxKept);
  const raw = createTextRing(maxKept);
  const output = createEmitter<string>();
  const streams = { stdout: createReader(), stderr: createReader() };
  let head = '';
  let looked = 0;
  let cause: JobEnd['cause'] = 'itself';
  let end: JobEnd | undefined;

  const take = (stream: OutputStream, bytes?: Uint8Array): void => {
    const { asWritten, asText } = streams[stream](bytes);
    plain.append(asText);
    if (head.length < maxHead) head = (head + asText).slice(0, maxHead);
    if (asWritten === '') return;
    raw.append(asWritten);
    output.fire(asWritten);
  };
  const stop = async (why: JobEnd['cause']): Promise<void> => {
    if (end !== undefined) return;
    if (cause === 'itself') cause = why;
    await command.stop();
  };
  const cancelTimeout = clock.after(timeoutMs, () => void stop('timeout'));
  const finish = async (): Promise<JobEnd> => {
    const { code, signal } = await command.exit;
    cancelTimeout();
    take('stdout');
    take('stderr');
    end = { code, signal, cause, durationMs: clock.monotonic() - started };
    return end;
  };
  command.onOutput(take);

  return {
    ...facts,
    withoutShell: command.withoutShell === true,
    startedAt,
    ended: finish(),
    onOutput: output.event,
    end: () => end,
    runningMs: () => end?.durationMs ?? clock.monotonic() - started,
    output: () => ({ text: plain.read(), head, total: plain.total(), dropped: plain.dropped() }),
    rawOutput: () => raw.read(),
    takeNews() {
      const from = Math.max(looked, plain.total() - maxNews);
      const skipped = from - looked;
      looked = plain.total();
      return { text: plain.read(from), skipped };
    },
    write: (text) => command.write(text),
    endInput: () => command.endInput(),
    interrupt: () => command.interrupt(),
    stop: () => stop('killed'),
  };
}

/** The text of one stream, whose characters and sequences may be cut between two pieces. Without bytes: what was held back. */
function createReader(): (bytes?: Uint8Array) => { readonly asWritten: string; readonly asText: string } {
  const decoder = new TextDecoder();
  const strip = createAnsiStripper();
  return (bytes) => {
    const asWritten = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    return { asWritten, asText: strip(asWritten) };
  };
}
