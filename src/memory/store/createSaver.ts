import type { Database } from 'sql.js';
import type { FileSystem } from '../../host/ports.ts';
import { toNumber, toText } from './columns.ts';
import type { Statements } from './createStatements.ts';
import { indexFailed } from './errors.ts';
import { sealIndex } from './seal.ts';

export interface Saver {
  generation(): number;
  isChanged(): boolean;
  bytes(): number;
  noteChange(): void;
  /** One at a time; the later ones wait. `prepare` may still change the database. */
  save(prepare: () => void): Promise<void>;
}

export interface SaverParts {
  readonly fs: Pick<FileSystem, 'writeFile'>;
  readonly file: string;
  readonly database: Database;
  readonly statements: Statements;
  readonly bytes: number;
  readonly isChanged: boolean;
}

/** Writes a database from memory to its file as a whole, each time as the next generation. */
export function createSaver({ fs, file, database, statements, ...start }: SaverParts): Saver {
  let { bytes } = start;
  let generation = readGeneration(statements);
  let changes = start.isChanged ? 1 : 0;
  let savedChanges = 0;
  let queue: Promise<void> = Promise.resolve();

  const write = async (prepare: () => void): Promise<void> => {
    if (changes === savedChanges) return;
    const [next, upTo] = [generation + 1, changes];
    prepare();
    statements.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', 'generation', String(next));
    compact(statements);
    const content = exportWhole(database);
    sealIndex(content);
    // Passages are private texts, whatever the workspace's own permissions say.
    await fs.writeFile(file, content, 'private');
    generation = next;
    savedChanges = upTo;
    bytes = content.length;
  };
  return {
    generation: () => generation,
    isChanged: () => changes !== savedChanges,
    bytes: () => bytes,
    noteChange: () => void (changes += 1),
    save(prepare) {
      const done = queue.then(() => write(prepare));
      queue = done.catch(() => undefined);
      return done;
    },
  };
}

function exportWhole(database: Database): Uint8Array {
  try {
    return database.export();
  } catch (error) {
    throw indexFailed(error);
  }
}

function readGeneration({ first }: Statements): number {
  const [said] = first("SELECT value FROM meta WHERE key = 'generation'") ?? [];
  const generation = Number(toText(said));
  return Number.isSafeInteger(generation) && generation > 0 ? generation : 0;
}

/** What was deleted leaves free pages for what comes; only where they are most of the file are they given back. */
function compact({ first, run }: Statements): void {
  const free = toNumber(first('PRAGMA freelist_count')?.[0]);
  const pages = toNumber(first('PRAGMA page_count')?.[0]);
  if (free > 256 && free > pages / 2) run('VACUUM');
}
