import { PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';

/** No turn begins while a guard is not there, or it is not known what the user forbids. */
export function agentStopped({ level, code, message, hint, source, line }: Diagnostic): PincerError {
  const next = 'Correct that, then send the message again.';
  // What is still loading is no error.
  const isOnlyLoading = level === 'info';
  const hints = [...(hint === undefined ? [] : [hint]), ...(isOnlyLoading ? [] : [next])];
  const where =
    source === undefined || message.includes(source)
      ? ''
      : ` (${line === undefined ? source : `${source}:${String(line)}`})`;
  return new PincerError('agent_stopped', `The agent does not run: ${message}${where}`, {
    hint: hints.join(' '),
    cause: new PincerError(code, message),
    ...(source === undefined ? {} : { source }),
    ...(line === undefined ? {} : { line }),
  });
}
