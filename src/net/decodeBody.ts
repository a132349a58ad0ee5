// Threat: a few kilobytes unpack to gigabytes. So unpacking stops at the cap, whatever the sender said of the length.
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { brokenEncoding, unknownEncoding } from './netErrors.ts';

interface DecodedBody {
  readonly bytes: Uint8Array;
  /** True where there was more than the cap. */
  readonly isCut: boolean;
}

/** What can be unpacked, as it is offered to servers. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Reads and unpacks a body up to `maxBytes`; the cap counts for what arrives and for what comes out of it. One encoding at
 * most, since a second one would multiply.
 * @throws PincerError `net_encoding` where it is packed in another way, or broken; what the body's iteration throws.
 */
export async function decodeBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  maxBytes: number,
): Promise<DecodedBody> {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return await collect(body, maxBytes);
  if (!isKnown(name)) throw unknownEncoding(name);
  const packed = await startOf(body);
  if (packed.first.length === 0) return { bytes: new Uint8Array(), isCut: false };
  return await unpack(packed, name, maxBytes);
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<DecodedBody> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) return { bytes: Buffer.concat(parts), isCut: true };
  }
  return { bytes: Buffer.concat(parts), isCut: false };
}

interface StartedBody {
  readonly first: Uint8Array;
  readonly all: AsyncIterable<Uint8Array>;
}

/** Raw and wrapped deflate can only be told apart by the first byte. */
async function startOf(body: AsyncIterable<Uint8Array>): Promise<StartedBody> {
  const chunks = body[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    first = next.value;
    if (first.length > 0) break;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield first;
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  return { first, all: all() };
}

async function unpack({ first, all }: StartedBody, name: string, maxBytes: number): Promise<DecodedBody> {
  const decoder = decoderFor(name, first);
  const arrived = { isCut: false, failure: undefined as { readonly error: unknown } | undefined };
  let result: DecodedBody | undefined;
  try {
    await pipeline(
      Readable.from(watch(all, maxBytes, arrived)),
      decoder,
      async (chunks: AsyncIterable<Buffer>) => {
        result = await collect(chunks, maxBytes);
      },
    );
  } catch (error) {
    // Reading stopped at the cap: that the stream ended too early is our own doing.
    if (result?.isCut === true) return result;
    if (arrived.failure !== undefined) throw arrived.failure.error;
    throw brokenEncoding(name, error);
  }
  return result ?? { bytes: new Uint8Array(), isCut: false };
}

/** Keeps the connection's own failure apart from the decoder's, and ends what never unpacks to anything. */
async function* watch(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  arrived: { failure: { readonly error: unknown } | undefined },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      yield chunk;
      if (size > maxBytes) return;
    }
  } catch (error) {
    arrived.failure = { error };
    throw error;
  }
}

function isKnown(name: string): boolean {
  return ['gzip', 'x-gzip', 'deflate', 'br'].includes(name);
}

function decoderFor(name: string, first: Uint8Array): Transform {
  if (name === 'br') return createBrotliDecompress();
  if (name !== 'deflate') return createGunzip();
  const isWrapped = ((first[0] ?? 0) & 0x0f) === 8;
  return isWrapped ? createInflate() : createInflateRaw();
}
