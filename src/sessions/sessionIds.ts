import { PincerError } from '../base/errors.ts';
import { sessionUnknown } from './sessionErrors.ts';

// Threat: the id comes back from chat metadata or a command line, and becomes part of a path.
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const suffix = '.jsonl';

export function isSessionId(text: string): boolean {
  return idPattern.test(text);
}

/** The id of the session whose transcript has this file name; undefined where it is none. */
export function sessionIdIn(fileName: string): string | undefined {
  if (!fileName.endsWith(suffix)) return undefined;
  const id = fileName.slice(0, -suffix.length);
  return isSessionId(id) ? id : undefined;
}

/** The one id that is `text` or begins with it. Pure. @throws PincerError `session_unknown`, `session_ambiguous` */
export function findSessionId(ids: readonly string[], text: string): string {
  const [found, ...others] = text === '' ? [] : ids.filter((id) => id.startsWith(text.toLowerCase()));
  if (found === undefined) throw sessionUnknown(text);
  if (others.length === 0) return found;
  throw new PincerError('session_ambiguous', `${others.length + 1} sessions begin with ${text}.`, {
    hint: 'Give more of the id.',
  });
}
