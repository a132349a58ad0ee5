// Threat: VS Code turns `[text](command:…)` in a notification into a link that runs a command. Notifications carry texts of
// plugins, models, servers and files. The brackets are taken apart after hidden characters between them are gone.
import { inertLine, truncate } from '../base/text.ts';

/** One line that a notification shows literally. */
export function notificationText(text: string): string {
  return truncate(inertLine(text, Number.MAX_SAFE_INTEGER).replaceAll('](', '] ('), 500);
}
