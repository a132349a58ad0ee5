// Threat: passages of the workspace, tool results and tool names are other people's text. Shown as markdown they could
// bring links, images, HTML, or a fence that ends early and lets the rest take effect. Everything of that kind passes one of
// these functions.
import { escapeMarkdown, hasHiddenCharacters, inertLine } from '../../base/text.ts';

/** A short text as code, such as a tool name. */
export function inlineCode(text: string): string {
  return `\`${inertLine(text, 120).replaceAll('`', "'")}\``;
}

/** One line of prose that is shown literally. */
export function inertProse(text: string, max = 2_000): string {
  // `===` under a line would make that line a heading.
  return escapeMarkdown(inertLine(text, max)).replace(/^=/u, '\\=');
}

/** A block of code that ends where we end it: its fence is longer than any inside. No language, hence no "run" button. */
export function fenced(lines: readonly string[]): string {
  const visible = lines.map(withoutHidden);
  const longest = Math.max(
    2,
    ...visible.map((line) => Math.max(0, ...(line.match(/`+/gu) ?? []).map((run) => run.length))),
  );
  const fence = '`'.repeat(longest + 1);
  return [fence, ...visible, fence].join('\n');
}

/** A link whose text is shown literally; what could end the target early is encoded. */
export function inertLink(text: string, target: string): string {
  return `[${inertProse(text, 200)}](${target.replace(/[\s()<>\\"[\]]/gu, percentEncode)})`;
}

function percentEncode(character: string): string {
  return encodeURIComponent(character).replace('(', '%28').replace(')', '%29');
}

/** Tabs stay; a carriage return would begin a line of its own, outside of the fence. */
function withoutHidden(line: string): string {
  const isHidden = (character: string): boolean =>
    /[\r\n]/u.test(character) || hasHiddenCharacters(character);
  return Array.from(line, (character) => (isHidden(character) ? '' : character)).join('');
}
