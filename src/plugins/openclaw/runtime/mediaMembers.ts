// Threat: the bytes are anybody's. Only headers are read, at places that are checked to lie inside.
import { extname } from 'node:path';
import { isRecord } from '../../../base/json.ts';

type Members = Readonly<Record<string, unknown>>;

/** `api.runtime.media`, as far as it takes no more than the bytes: upstream's names and answers. */
export function mediaMembers(): Members {
  return { detectMime, mediaKindFromMime, isVoiceCompatibleAudio, getImageMetadata };
}

/** By what the bytes begin with, else by the file's name, else by what a server or the caller said. */
function detectMime(given: unknown): Promise<string | undefined> {
  const { buffer, filePath, headerMime, additionalMimeHints } = isRecord(given) ? given : {};
  const sniffed = buffer instanceof Uint8Array ? sniff(bytesOf(buffer)) : undefined;
  const byName = typeof filePath === 'string' ? byExtension[extname(filePath).toLowerCase()] : undefined;
  const hints: readonly unknown[] = Array.isArray(additionalMimeHints) ? additionalMimeHints : [];
  const said = [headerMime, ...hints].map(plainMime).find((mime) => mime !== undefined && mime !== anyBytes);
  // Documents of offices are archives, too.
  const found = sniffed === archive ? (byName ?? said ?? sniffed) : (sniffed ?? byName ?? said);
  return Promise.resolve(found ?? plainMime(headerMime));
}

function mediaKindFromMime(mime: unknown): string | undefined {
  const plain = plainMime(mime);
  const kind = plain?.split('/')[0] ?? '';
  if (['image', 'audio', 'video'].includes(kind)) return kind;
  return kind === 'text' || kind === 'application' ? 'document' : undefined;
}

function isVoiceCompatibleAudio(given: unknown): boolean {
  const { contentType, fileName } = isRecord(given) ? given : {};
  const mime = plainMime(contentType);
  if (mime !== undefined && voiceTypes.has(mime)) return true;
  return typeof fileName === 'string' && voiceExtensions.has(extname(fileName).toLowerCase());
}

/** Null for what is no PNG, GIF, JPEG or WebP, or is cut off. */
function getImageMetadata(
  buffer: unknown,
): Promise<{ readonly width: number; readonly height: number } | null> {
  const size = buffer instanceof Uint8Array ? sizeOf(bytesOf(buffer)) : undefined;
  return Promise.resolve(size === undefined || size.width * size.height === 0 ? null : size);
}

const anyBytes = 'application/octet-stream';
const archive = 'application/zip';
const voiceTypes: ReadonlySet<string> = new Set(
  ['ogg', 'opus', 'mpeg', 'mp3', 'mp4', 'x-m4a', 'm4a'].map((name) => `audio/${name}`),
);
const voiceExtensions: ReadonlySet<string> = new Set(['.oga', '.ogg', '.opus', '.mp3', '.m4a']);

const byExtension: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.heic': 'image/heic',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/opus',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
  '.m4a': 'audio/x-m4a',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
  '.zip': archive,
  '.gz': 'application/gzip',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** What a file of a type begins with, and at which byte; the first that fits counts. */
const beginnings: readonly (readonly [mime: string, ...marks: readonly (readonly [number, string])[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF8']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/x-m4a', [4, 'ftypM4A']],
  ['video/quicktime', [4, 'ftypqt']],
  ['image/heic', [4, 'ftyphei']],
  ['video/mp4', [4, 'ftyp']],
  ['video/webm', [0, '\x1aE\xdf\xa3']],
  ['application/pdf', [0, '%PDF-']],
  ['application/gzip', [0, '\x1f\x8b']],
  [archive, [0, 'PK\x03\x04']],
];

function sniff(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 16);
  return beginnings.find(([, ...marks]) => marks.every(([at, mark]) => start.startsWith(mark, at)))?.[0];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(bytes: Buffer): Size | undefined {
  const has = (length: number): boolean => bytes.length >= length;
  switch (sniff(bytes)) {
    case 'image/png':
      return has(24) ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
    case 'image/gif':
      return has(10) ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined;
    case 'image/webp':
      return has(30) ? sizeOfWebp(bytes) : undefined;
    case 'image/jpeg':
      return sizeOfJpeg(bytes);
    default:
      return undefined;
  }
}

function sizeOfWebp(bytes: Buffer): Size | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** The first segment that begins a frame holds the size; the others are skipped by their length. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function plainMime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const mime = value.split(';')[0]?.trim().toLowerCase() ?? '';
  return mime === '' ? undefined : mime;
}
