import type { ImagePart, TextPart } from '../contracts/message.ts';
import type { RequestPayload } from '../hooks/payloads/pointHooks.ts';

/** What the user said: what hooks are told, what is stored, and what the model reads. */
export interface UserWords {
  readonly text: string;
  /** Files, selections and images beside it. */
  readonly attachments: readonly (TextPart | ImagePart)[];
}

type FileData = NonNullable<RequestPayload['fileData']>;
type ImageData = NonNullable<RequestPayload['imageData']>;

/**
 * The words as `beforeLLMRequest` passes them on: the text, the first image, and as one file all that was
 * attached as text: there is room for one, and no guard may miss the others. Pure.
 */
export function toRequestPayload({ text, attachments }: UserWords, sessionId: string): RequestPayload {
  const image = attachments.find((part) => part.type === 'image');
  const files = attachments.filter((part) => part.type === 'text');
  return {
    text,
    ...(image === undefined ? {} : { imageData: { image: image.data, mimeType: image.mimeType } }),
    ...(files.length === 0 ? {} : { fileData: toFileData(files) }),
    sessionId,
  };
}

/**
 * The words as plugins left them. `given` is what they were asked with: an attachment that is as it was stays the part it was, one
 * that is gone goes, a new one comes last. A file that was changed stands for all files; where the image goes, all images go. Pure.
 */
export function readRequestPayload(
  { attachments }: UserWords,
  given: RequestPayload,
  { text, imageData, fileData }: RequestPayload,
): UserWords {
  const image = isSameImage(given.imageData, imageData) ? 'same' : imageData && toImagePart(imageData);
  const file = isSameFile(given.fileData, fileData) ? 'same' : fileData && toFilePart(fileData);
  const withImage =
    image === 'same' ? attachments : replaceIn(attachments, 'image', image, image !== undefined);
  return { text, attachments: file === 'same' ? withImage : replaceIn(withImage, 'text', file, false) };
}

/** Puts `part` where the first of its type was, in place of that one or of all. */
function replaceIn(
  parts: UserWords['attachments'],
  type: 'image' | 'text',
  part: TextPart | ImagePart | undefined,
  firstAlone: boolean,
): UserWords['attachments'] {
  const replacement = part === undefined ? [] : [part];
  const first = parts.findIndex((each) => each.type === type);
  if (first === -1) return [...parts, ...replacement];
  return parts.flatMap((each, at) => {
    if (at === first) return replacement;
    return each.type === type && !firstAlone ? [] : [each];
  });
}

function isSameImage(a: ImageData | undefined, b: ImageData | undefined): boolean {
  return a?.image === b?.image && a?.mimeType === b?.mimeType;
}

function isSameFile(a: FileData | undefined, b: FileData | undefined): boolean {
  return a?.data === b?.data && a?.mimeType === b?.mimeType;
}

/** The name is in the first tag, as `quoteText` writes it. */
const nameOfFile = /<[\w-]+ name="([^"]*)"/u;

/** As the model reads them: with the lines around each that name it. */
function toFileData(parts: readonly TextPart[]): FileData {
  const names = parts.flatMap(({ text }) => nameOfFile.exec(text)?.[1] ?? []);
  return {
    data: Buffer.from(parts.map(({ text }) => text).join('\n\n'), 'utf8').toString('base64'),
    mimeType: 'text/plain',
    ...(names.length === 0 ? {} : { filename: names.join(', ') }),
  };
}

function toFilePart({ data, mimeType }: FileData): TextPart | ImagePart {
  if (mimeType.startsWith('image/')) return toImagePart({ image: data, mimeType });
  return { type: 'text', text: textOfData(data), isContext: true };
}

function toImagePart({ image, mimeType }: ImageData): ImagePart {
  return { type: 'image', data: withoutPrefix(image), mimeType };
}

/** Base64, or a text as it is: what base64 can't be. */
function textOfData(data: string): string {
  const bare = withoutPrefix(data);
  const isBase64 = bare.length % 4 === 0 && /^[\w+/]*={0,2}$/u.test(bare);
  return isBase64 ? Buffer.from(bare, 'base64').toString('utf8') : data;
}

function withoutPrefix(data: string): string {
  return data.replace(/^data:[^,]{0,200};base64,/u, '');
}
