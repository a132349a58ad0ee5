import { findSecrets } from './findSecrets.ts';
import { replaceSpans } from './replaceSpans.ts';

/** What stands for a key. */
export const removedKey = '[key removed]';

/** The text without what looks like a key, token or password. Doing it twice changes nothing more. Pure. */
export function redactKeys(text: string): string {
  return replaceSpans(text, findSecrets(text), removedKey).text;
}
