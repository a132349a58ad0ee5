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
  /** Added to the environment; already filtered. */
  readonly env: Readonly<Record<string, string>>;
  /** True keeps its input open for `write`. */
  readonly hasInput: boolean;
}

/** A command that runs. */
export interface RunningCommand {
  /** To find it again after a crash; undefined where there is nothing to reap. */
  readonly leftover: { readonly pid: number; readonly startTime: string } | undefined;
  readonly exit: Promise<ProcessExit>;
  onOutput(listener: (stream: OutputStream, bytes: Uint8Array) => void): void;
  write(text: string): Promise<void>;
  /** Ends it and all it started: politely, then by force. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Runs commands on one host. */
export interface ExecOperations extends Disposable {
  readonly host: 'local' | 'sandbox';
  /** @throws PincerError when it can't be started */
  start(request: ExecRequest): Promise<RunningCommand>;
}
