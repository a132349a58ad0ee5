import { PincerError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { withInterrupt } from '../withInterrupt.ts';
import type { SessionCommands } from './findSummary.ts';
import { timeText, titleText } from './sessionsList.ts';

/** `pincer sessions search`: conversations, best first. To find nothing is no failure. @throws PincerError `query_empty` */
export async function runSessionsSearch(
  options: CliOptions,
  query: string,
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    await withInterrupt((signal) => searchInSessions(runtime.conversations, query, options, output, signal));
    return exitCodes.ok;
  });
}

export async function searchInSessions(
  sessions: Pick<SessionCommands, 'search'>,
  query: string,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  if (query.trim() === '') throw new PincerError('query_empty', 'There is nothing to search for.');
  const hits = await sessions.search(query, signal);
  if (json === true) output.out(toJson({ query, hits }));
  else if (hits.length === 0) output.out(`Nothing was found for "${inertFact(query)}".\n`);
  else
    for (const { summary, snippet, count } of hits) {
      const { id, updatedAt } = summary;
      const title = inertFact(titleText(summary));
      output.out(`${id.slice(0, 8)}  ${timeText(updatedAt)}  ${plural(count, 'place')}  ${title}\n`);
      output.out(`    ${inertFact(snippet)}\n\n`);
    }
}
