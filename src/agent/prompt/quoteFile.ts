// Threat: a rules file or a skill comes with a cloned repository. It could close its own quotation and go on as if it were the
// system prompt, or carry orders in characters that nobody who reviews it sees. So what would close it is taken apart, and
// hidden characters are left out and counted.
import { inertLine, inertText, truncate } from '../../base/text.ts';

interface QuotedFile {
  readonly text: string;
  /** What people should know: that it was cut, that hidden characters were left out. */
  readonly note?: string;
}

interface QuoteOptions {
  /** How people and the model call the file: `src/AGENTS.md`. */
  readonly label: string;
  /** UTF-16 units of the file's text, the rest is cut; at least 1. */
  readonly max: number;
  /** Where it holds, such as `src/`; absent, everywhere. */
  readonly appliesTo?: string;
}

/** A file's text between two lines that it can't forge. Pure. */
export function quoteFile(raw: string, { label, max, appliesTo }: QuoteOptions): QuotedFile {
  const bare = raw.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const whole = inertText(bare).trim();
  const hidden = bare.length - inertText(bare).length;
  const isCut = whole.length > max;
  const shown = isCut ? truncate(whole, max) : whole;
  const more = isCut ? `\n[Cut: ${whole.length - max} more characters. Read the file for the rest.]` : '';
  const place = appliesTo === undefined ? {} : { 'applies-to': appliesTo };
  const notes = [
    ...(isCut ? [`Cut to ${max} of ${whole.length} characters.`] : []),
    ...(hidden > 0 ? [`${hidden} hidden characters were left out.`] : []),
  ];
  return {
    text: quoteText('workspace-file', { path: label, ...place }, shown + more),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
  };
}

/**
 * A text between two lines that it can't forge, for what is data: attached files, tool output of strangers. Its characters stay
 * as they are. Pure.
 */
export function quoteText(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(value)}"`);
  return `<${tag}${named.join('')}>\n${withoutTags(tag, text)}\n</${tag}>`;
}

function attribute(text: string): string {
  return inertLine(text, 300).replace(/[<>"]/gu, '_');
}

function withoutTags(tag: string, text: string): string {
  return text.replace(new RegExp(`<(?=\\s*/?\\s*${tag})`, 'giu'), '&lt;');
}
