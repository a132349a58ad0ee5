import type { ForkPoint } from '../../sessions/sessionStore.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findSummary } from './findSummary.ts';

export interface ForkOptions extends CliOptions {
  readonly beforeTurn?: string;
  readonly throughEntry?: string;
}

/**
 * `pincer sessions fork`: a copy, up to a point.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_turn_unknown`
 */
export async function runSessionsFork(options: ForkOptions, text: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const sessions = runtime.conversations;
    const { id } = await findSummary(sessions, text);
    const fork = await sessions.fork(id, pointOf(options));
    if (options.json === true) output.out(toJson({ sessionId: fork.id, from: id }));
    else output.out(`${fork.id}\n`);
    return exitCodes.ok;
  });
}

function pointOf({ beforeTurn, throughEntry }: ForkOptions): ForkPoint | undefined {
  if (beforeTurn !== undefined) return { beforeRunId: beforeTurn };
  return throughEntry === undefined ? undefined : { throughEntryId: throughEntry };
}
