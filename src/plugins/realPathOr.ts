import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';

/** The path with its links resolved; as it is where nothing is there, or where it can't be looked at. */
export async function realPathOr(fs: FileSystem, path: string): Promise<string> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (error instanceof PincerError) return path;
    throw error;
  }
}
