import type { Event } from '../base/event.ts';

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
