import { quoteText } from '../../../agent/prompt/quoteFile.ts';
import { imageTypeOf } from '../../../tools/core/imageTypeOf.ts';
import { failedAttachment, type Attachment } from './attachment.ts';
import { contextPart } from './textAttachment.ts';

export const maxImageBytes = 5_000_000;

/** An image that the user attached; what its bytes say counts, not its name. Pure. */
export function imageAttachment(label: string, bytes: Uint8Array): Attachment {
  if (bytes.length > maxImageBytes)
    return failedAttachment({ kind: 'too-large', label, bytes: bytes.length });
  const mimeType = imageTypeOf(bytes);
  if (mimeType === undefined) return failedAttachment({ kind: 'no-image', label });
  return {
    parts: [
      contextPart(
        quoteText('attachment', { name: label, kind: 'image' }, `[The image follows: ${mimeType}]`),
      ),
      { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType },
    ],
    problems: [],
  };
}

/** True for a name that images of the kinds models take usually have. */
export function isImageName(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/iu.test(name);
}
