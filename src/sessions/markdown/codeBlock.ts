import { truncate } from '../../base/text.ts';

/** A fenced block that nothing in the text can close. A long text is cut, which a line below says. Pure. */
export function codeBlock(text: string, maxChars: number, language = ''): string {
  const shown = truncate(text.replace(/\r\n?/gu, '\n'), maxChars).trimEnd();
  const longest = Math.max(2, ...[...shown.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const cut = text.length > maxChars ? `\n\n*Cut: ${text.length} characters in all.*` : '';
  return `${fence}${language}\n${shown}\n${fence}${cut}`;
}
