// Threat: names, texts and answers come from repositories, plugins and models, and a terminal obeys control sequences: they
// write to the clipboard, rewrite what was printed before, hide what is agreed to. None of them may reach it.
import { inertLine } from '../base/text.ts';

/** C0 but tab and line feed, DEL, C1, line separators, and what reverses the order of reading. */
const dangerous = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
const maxLine = 4_000;

/** A text that a terminal only shows. Line feeds and tabs stay. */
export function inertText(text: string): string {
  return text.replace(dangerous, '');
}

/** One fact, such as a name or a path, on one line. */
export function inertFact(text: string): string {
  return inertLine(text, maxLine);
}

/** A message of several lines; those after the first are indented, so that none passes for a message of its own. */
export function inertMessage(text: string): string {
  return inertText(text).trim().replaceAll('\n', '\n  ');
}

/** JSON with the dangerous characters as escapes: it means the same. */
export function inertJson(json: string): string {
  return json.replace(dangerous, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
