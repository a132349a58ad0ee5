import { rename } from 'node:fs/promises';

/** The system's name of a failure, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Windows refuses a rename while a virus scanner or an editor holds the target; that passes within a few attempts. */
export async function renameWithRetry(from: string, to: string): Promise<void> {
  const attempts = process.platform === 'win32' ? 6 : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const busy = ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '');
      if (!busy || attempt >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25 * attempt));
    }
  }
}
