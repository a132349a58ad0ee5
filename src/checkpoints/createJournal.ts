import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FileSystem } from '../host/ports.ts';
import {
  parseJournal,
  type BeginLine,
  type EndLine,
  type RecordedTurn,
  type TurnHeader,
} from './journalLines.ts';

/**
 * One JSONL file a turn, to which lines are only ever added. A turn runs in one process, so that two windows never write the
 * same file; what is dropped is one file less.
 */
export interface Journal {
  /** Adds a line; it and everything before it is on the disk when this resolves. */
  begin(turn: TurnHeader, line: BeginLine): Promise<void>;
  end(turn: TurnHeader, line: EndLine): Promise<void>;
  /** Every turn, oldest first; a file that is none of ours is left out and left alone. */
  read(): Promise<readonly RecordedTurn[]>;
  remove(turn: TurnHeader): Promise<void>;
}

const ours = /^\d{15}-[0-9a-f]{16}\.jsonl$/u;
const maxFileBytes = 64_000_000;

export function createJournal(fs: FileSystem, folder: string): Journal {
  const fileOf = (turn: TurnHeader): string => join(folder, fileName(turn));
  return {
    async begin(turn, line) {
      const file = fileOf(turn);
      const isNew = (await fs.lstat(file)) === undefined;
      const earlier = isNew ? `${JSON.stringify(turn)}\n` : await fs.readText(file, maxFileBytes);
      // Not `append`: only a file that was written as a whole is sure to outlive a power cut.
      await fs.writeFile(file, `${earlier}\n${JSON.stringify(line)}\n`);
    },
    // The newline in front closes a line that a crash cut short. If this one is lost, recovery finds out what happened.
    end: (turn, line) => fs.append(fileOf(turn), `\n${JSON.stringify(line)}\n`),
    async read() {
      if ((await fs.stat(folder)) === undefined) return [];
      const names = (await fs.readDirectory(folder))
        .map((entry) => entry.name)
        .filter((name) => ours.test(name));
      const turns = await Promise.all(names.sort().map((name) => readOne(fs, join(folder, name))));
      return turns.filter((turn) => turn !== undefined);
    },
    remove: (turn) => fs.remove(fileOf(turn)),
  };
}

/** Names go by time. The id goes in as a hash: it is part of a path. */
function fileName({ id, startedAt }: TurnHeader): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${String(startedAt).padStart(15, '0')}-${hash}.jsonl`;
}

async function readOne(fs: FileSystem, file: string): Promise<RecordedTurn | undefined> {
  // Another window may have dropped it since the folder was read.
  if ((await fs.lstat(file)) === undefined) return undefined;
  return parseJournal(await fs.readText(file, maxFileBytes));
}
