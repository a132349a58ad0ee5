import { quoteText } from '../../../agent/prompt/quoteFile.ts';
import { truncate } from '../../../base/text.ts';
import type { TextPart } from '../../../contracts/message.ts';
import type { Attachment } from './attachment.ts';

/** Characters of one attached text. */
const maxAttachmentChars = 100_000;

/** Lines and columns count from 0, as the editor counts them; the end is not part of it. */
interface SelectedRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

interface TextAttachmentInput {
  /** How people and the model call it: `src/app.ts`. */
  readonly label: string;
  /** The whole text. */
  readonly text: string;
  /** What of it is meant; absent, all of it. */
  readonly range?: SelectedRange;
  /** True where the editor has changes that the disk has not. */
  readonly isUnsaved?: boolean;
}

/** A text that the user attached: named, quoted so that it can't pass for the user's words, and cut where it is too long. Pure. */
export function textAttachment({ label, text, range, isUnsaved }: TextAttachmentInput): Attachment {
  const unsaved = isUnsaved === true ? { unsaved: 'true' } : {};
  const { shown, lines } = range === undefined ? { shown: text, lines: {} } : numberedLines(text, range);
  const isCut = shown.length > maxAttachmentChars;
  const kept = isCut ? truncate(shown, maxAttachmentChars) : shown;
  const more = isCut
    ? `\n[Cut: ${shown.length - kept.length} more characters. Read the file for the rest.]`
    : '';
  return {
    parts: [contextPart(quoteText('attachment', { name: label, ...lines, ...unsaved }, kept + more))],
    problems: isCut ? [{ kind: 'cut', label, shown: kept.length, total: shown.length }] : [],
  };
}

/** A list of names, such as what is in a folder. Pure. */
export function listAttachment(label: string, names: readonly string[], isCut: boolean): Attachment {
  const text = names.length === 0 ? '[The folder is empty.]' : names.join('\n');
  const more = isCut ? '\n[There is more. Use ls and glob to see it.]' : '';
  return {
    parts: [contextPart(quoteText('attachment', { name: label, kind: 'folder' }, text + more))],
    problems: [],
  };
}

/** Added to the user's words, and marked as such. */
export function contextPart(text: string): TextPart {
  return { type: 'text', text: `Attached by the user, as data:\n${text}`, isContext: true };
}

/** The whole lines of a range, each with its number from 1 on; where it does not hold them whole, its columns are told. */
function numberedLines(
  text: string,
  { start, end }: SelectedRange,
): { readonly shown: string; readonly lines: Readonly<Record<string, string>> } {
  const all = text.split(/\r\n|\r|\n/u);
  // A selection of whole lines ends before the first character of the next one.
  const endsBefore = end.character === 0 && end.line > start.line;
  const last = Math.min(endsBefore ? end.line - 1 : end.line, all.length - 1);
  const picked = all.slice(start.line, last + 1);
  const isWhole = start.character === 0 && (endsBefore || end.character >= (all[last]?.length ?? 0));
  return {
    shown: picked.map((line, at) => `${start.line + at + 1}: ${line}`).join('\n'),
    lines: {
      lines: `${start.line + 1}-${last + 1}`,
      ...(isWhole
        ? {}
        : {
            selected: `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`,
          }),
    },
  };
}
