import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import type { SessionCommands } from './findSummary.ts';

/** `pincer sessions list`: the conversations of the workspace, newest first. */
export async function runSessionsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    await listSessions(runtime.conversations, options, output);
    return exitCodes.ok;
  });
}

export async function listSessions(
  sessions: Pick<SessionCommands, 'summaries'>,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
): Promise<void> {
  const all = await sessions.summaries();
  if (json === true) output.out(toJson({ sessions: all }));
  else if (all.length === 0) output.out('There are no sessions in this workspace yet.\n');
  else output.out(toTable([['ID', 'LAST', 'MESSAGES', 'AGENT', 'TITLE'], ...all.map(rowOf)]));
}

function rowOf(summary: SessionSummary): readonly string[] {
  const { id, updatedAt, messageCount, agentId } = summary;
  return [id.slice(0, 8), timeText(updatedAt), String(messageCount), agentId, titleText(summary)];
}

/** `2026-11-21 20:15`, in UTC as everywhere on disk; nothing for a time that is not known. */
export function timeText(time: number): string {
  return time === 0 ? '-' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

/** The title, and what people should know before they open it. */
export function titleText(summary: SessionSummary): string {
  const { id, title, kind, parent, isInterrupted, runsElsewhere, problem, isDamaged } = summary;
  const origin = kind === 'subagent' ? ['subagent'] : parent === undefined ? [] : ['fork'];
  const notes = [
    ...origin,
    ...(isInterrupted ? ['interrupted'] : []),
    ...(runsElsewhere === true ? ['runs in another window or program'] : []),
    ...(problem === undefined ? [] : [problem]),
    ...(isDamaged === true ? [`pincer sessions repair ${id.slice(0, 8)} makes it readable`] : []),
  ];
  return notes.length === 0 ? title : `${title} (${notes.join('; ')})`;
}
