import { crc32 } from 'node:zlib';
import { applicationId, formatVersion } from './schema.ts';

/** The first bytes of every SQLite database. */
const magic = 'SQLite format 3\0';
const headerLength = 100;
/** `user_version`, which is for the application; we keep the checksum there. */
const checksumAt = 60;
/** `application_id`: three bytes of ours and one for the version. */
const markAt = 68;

/** Puts a checksum of the whole database into its header: SQLite itself notices no wrong bytes inside of values. */
export function sealIndex(content: Uint8Array): void {
  viewOf(content).setUint32(checksumAt, checksumOf(content));
}

/** Why bytes are not an index as it was sealed, as a sentence about the file; undefined where they are. */
export function findSealFault(content: Uint8Array): string | undefined {
  if (content.length === 0) return 'It is empty.';
  if (
    content.length < headerLength ||
    !new TextDecoder().decode(content.subarray(0, magic.length)).startsWith(magic)
  )
    return 'It is not a database.';
  const mark = viewOf(content).getUint32(markAt);
  if (mark >>> 8 !== applicationId >>> 8) return 'It is not an index of Pincer.';
  const version = mark & 0xff;
  if (version !== formatVersion) return `It was written by another version of Pincer (format ${version}).`;
  return viewOf(content).getUint32(checksumAt) === checksumOf(content) ? undefined : 'It is damaged.';
}

/** Of everything but the checksum's own bytes. */
function checksumOf(content: Uint8Array): number {
  return crc32(content.subarray(checksumAt + 4), crc32(content.subarray(0, checksumAt)));
}

function viewOf(content: Uint8Array): DataView {
  return new DataView(content.buffer, content.byteOffset, content.byteLength);
}
