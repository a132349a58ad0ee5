import { resolve } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findSummary } from './findSummary.ts';

export interface ExportOptions extends CliOptions {
  readonly output?: string;
}

/**
 * `pincer sessions export`: a conversation as markdown, to standard output or a new file.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `output_exists`
 */
export async function runSessionsExport(
  options: ExportOptions,
  text: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    const markdown = await sessions.exportMarkdown(id);
    const file = options.output === undefined ? undefined : resolve(options.output);
    if (file !== undefined && !(await runtime.host.fs.createFile(file, markdown, 'private'))) {
      throw new PincerError('output_exists', `${file} is there already.`, {
        hint: 'Name a new file after --output, or remove this one.',
      });
    }
    if (options.json === true)
      output.out(toJson({ sessionId: id, ...(file === undefined ? { markdown } : { file }) }));
    else output.out(file === undefined ? markdown : `${file}\n`);
    return exitCodes.ok;
  });
}
