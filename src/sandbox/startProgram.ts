import type { Processes, RunningProcess } from '../host/processes.ts';
import type { FileSystem } from '../host/ports.ts';
import { programNotFound } from './sandboxErrors.ts';
import { findProgram } from './findProgram.ts';
import { planProgramCall } from './planProgramCall.ts';

export interface ProgramDeps {
  readonly processes: Processes;
  readonly fs: Pick<FileSystem, 'stat'>;
  readonly platform: NodeJS.Platform;
  /** The Windows folder; from the machine, never from what a call adds to the environment. */
  readonly systemRoot: string;
}

/** Where and with what a program runs. */
interface ProgramPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
}

/**
 * Starts the first of `names` that is found, each argument reaching it as it is.
 * @throws PincerError `process_not_found`, `process_failed`, `argument_unsafe`
 */
export async function startProgram(
  { processes, fs, platform, systemRoot }: ProgramDeps,
  place: ProgramPlace,
  names: readonly string[],
  args: readonly string[],
): Promise<RunningProcess> {
  for (const name of names) {
    const path = await findProgram({ fs, platform, ...place }, name);
    if (path === undefined) continue;
    const call = planProgramCall(platform, systemRoot, path, args);
    return await processes.start({ ...call, ...place });
  }
  throw programNotFound(names[0] ?? '');
}
