import type { BlobMetadata } from '../dextoTypes.ts';
import { valueTooLarge } from './storageErrors.ts';
import { writeJson } from './jsonText.ts';

/** Bytes of one blob, where the agent file does not say. */
export const usualMaxBlobBytes = 50_000_000;

const maxMetadataBytes = 64_000;

/** Bytes that nobody else has. @throws PincerError `storage_too_large` */
export function toBytes(data: Uint8Array | string, maxBytes: number): Uint8Array {
  const length = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength;
  if (length > maxBytes) throw valueTooLarge('The blob', length, maxBytes);
  return typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
}

/** @throws PincerError `storage_not_json`, `storage_too_large` */
export function writeMetadata(metadata: BlobMetadata | undefined): string {
  const json = writeJson('metadata', metadata ?? {});
  const bytes = Buffer.byteLength(json);
  if (bytes > maxMetadataBytes) throw valueTooLarge("The blob's metadata", bytes, maxMetadataBytes);
  return json;
}
