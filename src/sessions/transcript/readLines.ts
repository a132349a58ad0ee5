import type { FileSystem } from '../../host/ports.ts';

/** Small enough that the event loop is never held up for long, large enough that the disk is not asked too often. */
const chunkBytes = 256 * 1024;
const lineEnd = 0x0a;

/** Whole lines of a file, and the byte at which the next one begins. */
interface LineBatch {
  readonly lines: readonly string[];
  readonly end: number;
}

/**
 * The lines of a file from byte `start` on (which must begin one), batch by batch as they are read. What follows the last line
 * end comes as a line of its own only where `withTail` says so. @throws PincerError `io_*`
 */
export async function* readLines(
  fs: Pick<FileSystem, 'readRange'>,
  file: string,
  { start = 0, withTail = false }: { readonly start?: number; readonly withTail?: boolean } = {},
): AsyncGenerator<LineBatch> {
  let parts: Uint8Array[] = [];
  let at = start;
  let end = start;
  for (;;) {
    const chunk = await fs.readRange(file, at, chunkBytes);
    at += chunk.length;
    const cut = chunk.lastIndexOf(lineEnd) + 1;
    if (cut > 0) {
      const text = decode([...parts, chunk.subarray(0, cut - 1)]);
      parts = [chunk.subarray(cut)];
      end = at - (chunk.length - cut);
      yield { lines: text.split('\n'), end };
    } else parts.push(chunk);
    if (chunk.length < chunkBytes) break;
  }
  const tail = withTail ? decode(parts) : '';
  if (tail !== '') yield { lines: [tail], end: at };
}

/** Lines end in between of characters, so nothing is cut apart. */
function decode(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8');
}
