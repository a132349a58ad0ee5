import type { ChatResult, LogOutputChannel } from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import { settlesWithin } from '../../host/settlesWithin.ts';

/**
 * VS Code takes a result until a second after Stop; of a later one it keeps nothing: neither the session that the next message
 * goes on with, nor what could be offered under the answer. Milliseconds.
 */
export const stopGraceMs = 500;

/** What `work` gives or throws; where it has not ended soon after the user's Stop, `stopped()`, while the work ends behind it. */
export async function beforePanelCloses(
  work: Promise<ChatResult>,
  stopped: () => ChatResult,
  { signal, clock, log }: { signal: AbortSignal; clock: Clock; log: Pick<LogOutputChannel, 'debug'> },
): Promise<ChatResult> {
  try {
    return await raceAbort(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (await settlesWithin(work, stopGraceMs, clock)) return await work;
  work.catch((error: unknown) => log.debug(errorMessage(error)));
  return stopped();
}
