import type { Disposable } from '../base/disposable.ts';
import type { OutputStream, ProcessExit } from '../host/processes.ts';
import type { CommandPlan, ShellKind } from '../shell/commandPlan.ts';

/** What is to be run, decided and final. */
export interface ExecRequest {
  /** The line as it was written. */
  readonly command: string;
  readonly shell: ShellKind;
  /** There where the line was understood whole: it runs without a shell. */
  readonly plan?: CommandPlan;
  /** Absolute path on this machine; a container back end translates it. */
  readonly workdir: string;
  /** Already filtered. All of the environment on this machine; in a container what is added to its own. */
  readonly env: Readonly<Record<string, string>>;
  /** True keeps its input open for `write`. */
  readonly hasInput: boolean;
}

/** A command that runs. */
export interface RunningCommand {
  /** True where no shell reads the line. */
  readonly withoutShell?: boolean;
  /** Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Output waits for the first listener. */
  onOutput(listener: (stream: OutputStream, bytes: Uint8Array) => void): void;
  /** @throws PincerError `process_input_closed` */
  write(text: string): Promise<void>;
  /** What reads its input comes to the end of it. */
  endInput(): void;
  /** Asks it to stop, as Ctrl+C does; it may go on. */
  interrupt(): void;
  /** Ends it and all it started: politely, then by force. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Runs commands on one host. */
export interface ExecOperations extends Disposable {
  readonly host: 'local' | 'sandbox';
  /** @throws PincerError when it can't be started */
  start(request: ExecRequest): Promise<RunningCommand>;
}
