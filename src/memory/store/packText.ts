import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Settings for texts of about 2 kB: half the size for 30 µs. The index lies in memory as a whole, so that 20,000 passages take
 * some 25 MB rather than 50.
 */
const packing = { level: 6, windowBits: 11, memLevel: 5, chunkSize: 2_048 } as const;
/** Far beyond any passage: a made-up one must not unpack into gigabytes. */
const unpacking = { chunkSize: 4_096, maxOutputLength: 16_000_000 } as const;

/** For a column of the index. */
export function packText(text: string): Uint8Array {
  return deflateRawSync(text, packing);
}

/** Empty where the bytes are not what `packText` gave. */
export function unpackText(packed: Uint8Array): string {
  try {
    return inflateRawSync(packed, unpacking).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
