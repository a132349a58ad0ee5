import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findSummary } from './findSummary.ts';

/**
 * `pincer sessions repair`: gives a transcript with a damaged first line a new one.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_in_use`, `session_in_order`, `session_tenant_lost`
 */
export async function runSessionsRepair(
  options: CliOptions,
  text: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    const copy = await sessions.repair(id);
    const session = await findSummary(sessions, id);
    if (options.json === true) output.out(toJson({ session, copy }));
    else output.out(`${id} can be opened again. The file as it was: ${copy}\n`);
    return exitCodes.ok;
  });
}
