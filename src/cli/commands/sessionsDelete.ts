import { inertFact } from '../inert.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { confirmInTerminal, type ConfirmOptions } from './pluginsConfirm.ts';
import { findSummary } from './findSummary.ts';

export type DeleteOptions = CliOptions & ConfirmOptions;

/**
 * `pincer sessions delete`: asks, then removes a conversation for good.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_in_use`, `confirmation_missing`
 */
export async function runSessionsDelete(
  options: DeleteOptions,
  text: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id, title } = await findSummary(sessions, text);
    const isDeleted = await confirmInTerminal(options, `Delete "${title}" (${id}) for good?`);
    if (isDeleted) await sessions.remove(id);
    if (options.json === true) output.out(toJson({ sessionId: id, deleted: isDeleted }));
    else output.out(isDeleted ? `${inertFact(title)} is deleted.\n` : 'Nothing was deleted.\n');
    return isDeleted ? exitCodes.ok : exitCodes.cancelled;
  });
}
