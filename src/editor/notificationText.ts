import { inertLine } from '../base/text.ts';

// Threat: VS Code turns `[text](command:…)` in a notification into a link that runs a command. Notifications carry texts of
// plugins, models, servers and files.
/** One line that a notification shows literally. */
export function notificationText(text: string): string {
  return inertLine(text.replaceAll('](', '] ('), 500);
}
