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
  /** Windows only: `args` stand in the command line unquoted, for programs with quoting rules of their own. Default false. */
  readonly isVerbatim?: boolean;
}

export type OutputStream = 'stdout' | 'stderr';

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** Takes output in order; where it returns a promise, no more of that stream is read until it resolves. Must not reject. */
export type OutputListener = (stream: OutputStream, bytes: Uint8Array) => void | Promise<void>;

/** A process that runs, with everything it started: it leads a process group (a process tree on Windows) of its own. */
export interface RunningProcess {
  readonly pid: number;
  /**
   * What the system says of its start; with `pid` it names this process and no later one. Undefined where it can't be had.
   * Asking takes about a second on Windows; never rejects.
   */
  readonly startTime: Promise<string | undefined>;
  /**
   * Resolves when it has ended and its output has been read to the end, that of what it left running included; after SIGKILL
   * it waits for nobody who escaped from the group. Never rejects.
   */
  readonly exit: Promise<ProcessExit>;
  /** Output waits for the first listener, which gets all of it; it is not kept for later ones. */
  onOutput(listener: OutputListener): void;
  /**
   * Nobody reads what it writes: it ends by SIGPIPE, or, where it ignores that, meets an error at its next write. To be
   * called once it has written what nobody took.
   */
  breakPipe(stream: OutputStream): void;
  /** Resolves once the bytes were taken. @throws PincerError `process_input_closed` */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Sends the signal to the whole group; one that has ended is no error. */
  kill(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): void;
}

/** Starts programs and recognises those that an earlier life of ours left behind. */
export interface Processes {
  /** The process this code runs in. */
  readonly ownPid: number;
  /** @throws PincerError `process_not_found`, `process_failed` when it can't be started */
  start(request: ProcessRequest): Promise<RunningProcess>;
  /** What the system says of the start of the process with this id; undefined where there is none. Never rejects. */
  startTimeOf(pid: number): Promise<string | undefined>;
  /**
   * True where a process of this leader's group, the leader gone or not, was started with this variable (`NAME=value`). False
   * where that can't be told. Never rejects.
   */
  hasMarkedProcess(leader: number, variable: string): Promise<boolean>;
  /**
   * Ends every process that was started with this variable (`NAME=value`), in whatever group. Does nothing where that can't be told,
   * as outside of Linux. Never rejects.
   */
  killMarked(variable: string): Promise<void>;
  /**
   * Notes the processes that descend from this one now, in whatever group or session. The function ends those of them that still run then.
   * None where that can't be told, as outside of Linux. Never rejects.
   */
  noteDescendants(pid: number): Promise<() => Promise<void>>;
  /** Ends a process group by its leader; nothing there is no error. */
  killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}
