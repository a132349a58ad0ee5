/** One program to start. No shell is involved: `args` reach it as they are. */
export interface ProcessRequest {
  /** A name to look up on the PATH of `env`, or an absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** All of its environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** False gives it an empty input. Default false. */
  readonly hasInput?: boolean;
}

export type OutputStream = 'stdout' | 'stderr';

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** A process that runs, with everything it started: it leads a process group (a job on Windows) of its own. */
export interface RunningProcess {
  readonly pid: number;
  /** What the system says of its start; with `pid` it names this process and no later one. Undefined where it can't be had. */
  readonly startTime: string | undefined;
  /** Resolves when it has ended and its output has been read to the end; never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Called for each piece of output in order, from the start on; output is not kept. */
  onOutput(listener: (stream: OutputStream, bytes: Uint8Array) => void): void;
  /** Resolves once the bytes were taken. @throws PincerError `process_input_closed` */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Sends the signal to the whole group; one that has ended is no error. */
  kill(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): void;
}

/** Starts programs and recognises those that an earlier life of ours left behind. */
export interface Processes {
  /** @throws PincerError `process_not_found`, `process_failed` when it can't be started */
  start(request: ProcessRequest): Promise<RunningProcess>;
  /** What the system says of the start of the process with this id; undefined where there is none. */
  startTimeOf(pid: number): Promise<string | undefined>;
  /** Ends a process group by its leader; nothing there is no error. */
  killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}
