import { PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';

/** For who reads an index that another window writes. */
export interface GenerationWatch {
  /** Takes the file as it is now for the one that is in use. Call it before `openStore`, so that no later one is missed. */
  mark(): Promise<void>;
  /** True where another generation lies there than the marked one. It costs one look at the file's size and time. */
  hasMoved(): Promise<boolean>;
}

export function createGenerationWatch(deps: {
  readonly fs: Pick<FileSystem, 'stat'>;
  readonly file: string;
}): GenerationWatch {
  let marked: string | undefined;
  const look = async (): Promise<string> => {
    // Opening it says what is wrong; who follows must not end over it.
    const stat = await deps.fs.stat(deps.file).catch(unlessUnreadable);
    if (stat === 'unreadable') return stat;
    return stat === undefined ? 'none' : `${stat.size} ${stat.mtimeMs}`;
  };
  return {
    async mark() {
      marked = await look();
    },
    hasMoved: async () => (await look()) !== marked,
  };
}

function unlessUnreadable(error: unknown): 'unreadable' {
  if (error instanceof PincerError && error.code.startsWith('io_')) return 'unreadable';
  throw error;
}
