import { createHash } from 'node:crypto';
import type { NewPassage } from '../../store/rows.ts';

/** What is embedded of a passage: the headings above it, and its text. */
export function embeddedText({ headings, text }: Pick<NewPassage, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n${text}`;
}

/** SHA-256, hexadecimal. */
export function embeddedHash(passage: Pick<NewPassage, 'headings' | 'text'>): string {
  return createHash('sha256').update(embeddedText(passage)).digest('hex');
}
