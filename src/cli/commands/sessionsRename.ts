import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findSummary } from './findSummary.ts';

/** `pincer sessions rename`. @throws PincerError `session_unknown`, `session_ambiguous`, `session_name_invalid` */
export async function runSessionsRename(
  options: CliOptions,
  text: string,
  name: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    await sessions.rename(id, name);
    const session = await findSummary(sessions, id);
    if (options.json === true) output.out(toJson({ session }));
    else output.out(`${id} is now called ${inertFact(session.title)}.\n`);
    return exitCodes.ok;
  });
}
