import { PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';

/** No turn begins while a plugin that may be a guard is not there (rulings D3). */
export function agentStopped({ message, hint }: Diagnostic): PincerError {
  const next = 'It goes on by itself once the file is corrected; Pincer: Reload Plugins tries once more.';
  return new PincerError('agent_stopped', `The agent does not run: ${message}`, {
    hint: hint === undefined ? next : `${hint} ${next}`,
  });
}
