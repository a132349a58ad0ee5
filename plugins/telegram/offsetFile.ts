import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the next message of a bot begins; what lies before was taken over. */
export interface OffsetFile {
  /** Undefined before the first message, and where the file can't be read: Telegram then gives what it still has. */
  read(): Promise<number | undefined>;
  write(offset: number): Promise<void>;
}

/** One file for each bot: another token counts anew. */
export function createOffsetFile(folder: string, accountId: string, token: string): OffsetFile {
  const bot = createHash('sha256').update(`${accountId}\n${token}`).digest('hex').slice(0, 16);
  const path = join(folder, `offset-${bot}.json`);
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
        throw error;
      });
      const offset = /^\{"offset":(\d{1,15})\}$/u.exec(text.trim())?.[1];
      return offset === undefined ? undefined : Number(offset);
    },
    async write(offset) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Renamed into place: a crash leaves the old one or the new one.
      await writeFile(`${path}.tmp`, `${JSON.stringify({ offset })}\n`, { mode: 0o600 });
      await rename(`${path}.tmp`, path);
    },
  };
}
