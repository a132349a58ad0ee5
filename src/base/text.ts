// Threat: a plugin or a model writes text that a person reads before deciding. Control characters can forge lines,
// bidirectional marks can reverse what is read, zero-width, filler and variation characters
// can hide a difference or carry text that only a model reads. The selector that makes an emoji of the sign before it is seen.
const hiddenCharacters =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2069\u3164\uFE00-\uFE0E\uFEFF\uFFA0\u{E0000}-\u{E0FFF}]|(?<!\p{Extended_Pictographic}|[0-9#*](?=\uFE0F\u20E3))\uFE0F/gu;

/** One line without control, bidirectional or zero-width characters, cut to `max` characters with an ellipsis. */
export function inertLine(text: string, max: number): string {
  const line = text.replace(/\s+/gu, ' ').replace(hiddenCharacters, '').trim();
  return truncate(line, max);
}

/** The text with its lines and tabs, without other control, bidirectional or zero-width characters; line ends become `\n`. */
export function inertText(text: string): string {
  const lines = text.replace(/\r\n?/gu, '\n').split('\n');
  const cells = lines.map((line) => line.split('\t').map((cell) => cell.replace(hiddenCharacters, '')));
  return cells.map((cell) => cell.join('\t')).join('\n');
}

/** At most `max` UTF-16 units, the last one an ellipsis where something was cut; surrogate pairs stay whole. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const splitsPair = /[\uD800-\uDBFF]/u.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

/** In letters of the Latin alphabet; others may be twice as wide. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((width, char) => width + (char < '\u0300' ? 1 : 2), 0);
}

/** True where `inertLine` would remove something other than plain white space. */
export function hasHiddenCharacters(text: string): boolean {
  return text.replace(/[\t\r\n]/gu, '').search(hiddenCharacters) !== -1;
}

/** Markdown that shows `text` literally: no links, images, emphasis, HTML or code. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$@:]/gu, '\\$&');
}

/**
 * Markdown with theme icons, in which a `$(name)` that `escapeMarkdown` has written stays text: VS Code draws icons after it has taken
 * escapes away. In a code span nothing can keep one.
 */
export function keepEscapedIcons(markdown: string): string {
  return markdown.replace(/\\\$\\\((?:[A-Za-z0-9]|\\-)+(?:\\~[A-Za-z]+)?\\\)/gu, '\\\\$&');
}

/** `1 file`, `2 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

/** Lines with what ends them; none in an empty text. Without a pattern: one runs out of stack at a line of some megabytes. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}
