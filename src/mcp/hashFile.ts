import { createHash } from 'node:crypto';
import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';

const chunkBytes = 4_000_000;
const maxFileBytes = 400_000_000;

/** SHA-256 of a file's content, read piece by piece. @throws PincerError `mcp_program_too_large`, `io_*` */
export async function hashFile(fs: Pick<FileSystem, 'stat' | 'readRange'>, path: string): Promise<string> {
  const size = (await fs.stat(path))?.size ?? 0;
  if (size > maxFileBytes) throw programTooLarge(path);
  const hash = createHash('sha256');
  for (let at = 0; ;) {
    const bytes = await fs.readRange(path, at, chunkBytes);
    if (bytes.length === 0) return hash.digest('hex');
    hash.update(bytes);
    at += bytes.length;
  }
}

function programTooLarge(path: string): PincerError {
  return new PincerError(
    'mcp_program_too_large',
    `${path} is too large to be compared with what you agreed to.`,
    {
      hint: 'Start the server by a smaller program.',
    },
  );
}
