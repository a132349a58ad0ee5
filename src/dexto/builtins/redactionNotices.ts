import { plural } from '../../base/text.ts';
import type { PluginNotice } from '../dextoTypes.ts';

/** What was taken out of a text, by the codes of Dexto plugin specification; never the text itself. `where` is such as `message`. Pure. */
export function redactionNotices(
  { emails, keys }: { readonly emails: number; readonly keys: number },
  where: string,
): PluginNotice[] {
  return [
    ...noticeOf(
      'EMAIL_REDACTED',
      emails,
      `${plural(emails, 'email address', 'email addresses')} taken out of the ${where}`,
    ),
    ...noticeOf('API_KEY_REDACTED', keys, `${plural(keys, 'possible key')} taken out of the ${where}`),
  ];
}

function noticeOf(code: string, count: number, message: string): PluginNotice[] {
  return count === 0 ? [] : [{ kind: 'warn', code, message, details: { count } }];
}
