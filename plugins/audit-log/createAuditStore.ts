import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf, findLogFiles, nameOfFile, planDeletions } from './planFiles.ts';

export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** JSON lines on disk. Nobody who appends waits for the disk, and no failure of the disk reaches them. */
export interface AuditStore {
  append(entry: AuditEntry): void;
  /** Resolves once all that was appended is on disk, or has failed to get there. */
  flush(): Promise<void>;
  /** The last entries, oldest first. */
  tail(count: number): Promise<readonly AuditEntry[]>;
}

export interface AuditStoreOptions {
  readonly folder: string;
  readonly keepDays: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called once when writing begins to fail, and not again before it has worked in between. */
  readonly onBroken: (error: unknown) => void;
}

/** What waits in memory while the disk does not take it. */
const maxPending = 10_000;

export function createAuditStore(options: AuditStoreOptions): AuditStore {
  const { folder, now } = options;
  let pending: string[] = [];
  let dropped = 0;
  let isBroken = false;
  let day = '';
  let part = 0;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    // One step later, so that what is appended in one go is written in one go.
    await Promise.resolve();
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        await writeBatch(batch);
        isBroken = false;
      } catch (error) {
        pending = [...batch, ...pending];
        if (!isBroken) options.onBroken(error);
        isBroken = true;
        return;
      }
    }
  };

  const writeBatch = async (batch: readonly string[]): Promise<void> => {
    const today = dayOf(now());
    if (today !== day) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await prune(options);
      day = today;
      part = 0;
    }
    while ((await sizeOf(join(folder, nameOfFile(day, part)))) >= options.maxFileBytes) part += 1;
    const gap =
      dropped === 0 ? [] : [JSON.stringify({ time: new Date(now()).toISOString(), kind: 'gap', dropped })];
    // The leading newline closes a line that a crash cut short; readers skip empty lines.
    const text = `\n${[...gap, ...batch].join('\n')}\n`;
    try {
      await appendFile(join(folder, nameOfFile(day, part)), text, { mode: 0o600 });
    } catch (error) {
      day = '';
      throw error;
    }
    dropped = 0;
  };

  const flush = async (): Promise<void> => {
    writing ??= writeAll().finally(() => (writing = undefined));
    await writing;
  };

  return {
    append(entry) {
      if (pending.length >= maxPending) {
        dropped += 1;
        return;
      }
      pending.push(JSON.stringify(entry));
      void flush();
    },
    flush,
    async tail(count) {
      await flush();
      const entries: AuditEntry[] = [];
      for (const { name } of findLogFiles(await namesIn(folder)).toReversed()) {
        if (entries.length >= count) break;
        entries.unshift(...parseLines(await readFile(join(folder, name), 'utf8')));
      }
      return entries.slice(-count);
    },
  };
}

async function prune({ folder, now, keepDays, maxTotalBytes }: AuditStoreOptions): Promise<void> {
  const files = await Promise.all(
    findLogFiles(await namesIn(folder)).map(async (file) => ({
      ...file,
      bytes: await sizeOf(join(folder, file.name)),
    })),
  );
  for (const name of planDeletions(files, now(), { keepDays, maxTotalBytes })) {
    await rm(join(folder, name), { force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(orIfMissing<readonly string[]>([]));
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(({ size }) => size, orIfMissing(0));
}

function orIfMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };
}

/** A line that a crash cut short is left out. */
function parseLines(text: string): readonly AuditEntry[] {
  return text.split('\n').flatMap((line): readonly AuditEntry[] => {
    if (line === '') return [];
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null && 'kind' in value ? [value as AuditEntry] : [];
    } catch {
      return [];
    }
  });
}
