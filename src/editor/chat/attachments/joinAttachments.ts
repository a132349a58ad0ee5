import type { ImagePart, TextPart } from '../../../contracts/message.ts';
import type { Attachment, AttachmentProblem } from './attachment.ts';

/** Everything that the user attached to one message. */
export interface Attachments {
  readonly parts: readonly (TextPart | ImagePart)[];
  /** Absolute paths of attached files and folders, each once. */
  readonly paths: readonly string[];
  readonly problems: readonly AttachmentProblem[];
}

const maxCharsInAll = 400_000;
const maxImages = 10;

/** Puts attachments one after the other; what there is no room for is left out whole and told. Pure. */
export function joinAttachments(
  attachments: readonly (Attachment & { readonly label: string })[],
): Attachments {
  const parts: (TextPart | ImagePart)[] = [];
  const problems: AttachmentProblem[] = [];
  let chars = 0;
  let images = 0;
  for (const each of attachments) {
    const size = each.parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
    const count = each.parts.filter((part) => part.type === 'image').length;
    if (chars + size > maxCharsInAll || images + count > maxImages) {
      problems.push({ kind: 'no-room', label: each.label });
      continue;
    }
    chars += size;
    images += count;
    parts.push(...each.parts);
    problems.push(...each.problems);
  }
  const paths = attachments.flatMap(({ path }) => (path === undefined ? [] : [path]));
  return { parts, paths: [...new Set(paths)], problems };
}
