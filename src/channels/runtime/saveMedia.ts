// Threat: a sender fills the disk, or gives a file a name that leads elsewhere. So media has a limit, its name is not the sender's, it lies in
// one folder of the state, and the oldest goes. And an image that no model takes would stay in the conversation and have each later request to
// the model refused: so what its bytes are counts, not what was said of it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { ImagePart } from '../../contracts/message.ts';
import type { FileSystem } from '../../host/ports.ts';
import { imageTypeOf } from '../../tools/core/imageTypeOf.ts';
import type { InboundMessage } from '../createMessageJournal.ts';

export interface MediaPorts {
  readonly fs: Pick<FileSystem, 'writeFile' | 'readFile' | 'readDirectory' | 'stat' | 'remove'>;
  /** Absolute: `<state>/channels/media`. */
  readonly folder: string;
}

const maxBytes = 8_000_000;
const maxFiles = 200;
const maxAllBytes = 200_000_000;
const maxImages = 4;
/** What models take of one. */
const maxImageBytes = 5_000_000;
const imageTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Keeps what a sender sent. @throws PincerError `channel_media_too_large` */
export async function saveMedia(
  { fs, folder }: MediaPorts,
  {
    buffer,
    type,
    maxBytes: wanted,
    name,
  }: Readonly<Record<'buffer' | 'type' | 'maxBytes' | 'name', unknown>>,
): Promise<object> {
  if (!(buffer instanceof Uint8Array)) throw new TypeError('saveMediaBuffer needs the bytes of the media.');
  const most = typeof wanted === 'number' && wanted > 0 ? Math.min(wanted, maxBytes) : maxBytes;
  if (buffer.byteLength > most)
    throw new PincerError(
      'channel_media_too_large',
      `Media of ${String(buffer.byteLength)} bytes is more than the ${String(most)} that are kept.`,
    );
  const contentType = typeof type === 'string' ? inertLine(type.toLowerCase(), 80) : undefined;
  const id = `${randomUUID()}.${imageTypes[imageTypeOf(buffer) ?? ''] ?? 'bin'}`;
  const path = join(folder, id);
  await fs.writeFile(path, buffer, 'private');
  await prune(fs, folder);
  return {
    id,
    path,
    size: buffer.byteLength,
    ...(contentType === undefined ? {} : { contentType }),
    ...(typeof name === 'string' ? { fileName: inertLine(name, 120) } : {}),
  };
}

async function prune(fs: MediaPorts['fs'], folder: string): Promise<void> {
  const names = (await fs.readDirectory(folder)).map(({ name }) => name);
  const dated = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs: at = 0, size = 0 } = (await fs.stat(join(folder, name))) ?? {};
      return { name, at, size };
    }),
  );
  let count = 0;
  let bytes = 0;
  for (const { name, size } of dated.toSorted((a, b) => b.at - a.at)) {
    count += 1;
    bytes += size;
    if (count > maxFiles || bytes > maxAllBytes) await fs.remove(join(folder, name));
  }
}

/** The images of a message that a model takes: those alone that lie in the folder that media is kept in. */
export async function readImages(
  { fs, folder }: MediaPorts,
  { media }: Pick<InboundMessage, 'media'>,
): Promise<readonly ImagePart[]> {
  const images: ImagePart[] = [];
  for (const { path } of media) {
    const name = path?.startsWith(join(folder, '/')) === true ? path.slice(folder.length + 1) : '';
    if (!/^[0-9a-f-]{36}\.(?:png|jpg|gif|webp)$/u.test(name) || images.length >= maxImages) continue;
    const file = join(folder, name);
    // It may have made room for others since.
    const { size = Number.POSITIVE_INFINITY } = (await fs.stat(file)) ?? {};
    if (size > maxImageBytes) continue;
    const bytes = await fs.readFile(file, maxImageBytes);
    const mimeType = imageTypeOf(bytes);
    if (mimeType !== undefined)
      images.push({ type: 'image', mimeType, data: Buffer.from(bytes).toString('base64') });
  }
  return images;
}
