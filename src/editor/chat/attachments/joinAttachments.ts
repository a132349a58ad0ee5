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

/**
 * Puts attachments one after the other; what there is no room for is left out whole and told. The panel also attaches what is
 * selected in the editor by itself: what says the same as another one counts once. Pure.
 */
export function joinAttachments(
  attachments: readonly (Attachment & { readonly label: string })[],
): Attachments {
  const parts: (TextPart | ImagePart)[] = [];
  const problems: AttachmentProblem[] = [];
  const seen = new Set<string>();
  let chars = 0;
  let images = 0;
  for (const each of attachments) {
    const same = JSON.stringify([each.label, each.parts, each.problems]);
    if (seen.has(same)) continue;
    seen.add(same);
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
