// Threat: anybody may have written the file of a plugin's store, so what it holds is checked when it is read.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSerialQueue } from '../../../base/createSerialQueue.ts';
import { PincerError } from '../../../base/errors.ts';
import { isRecord, parseJson } from '../../../base/json.ts';
import type { Clock } from '../../../host/ports.ts';
import type { StoreEntry } from '../../../sdk/types.ts';

export type Entry = StoreEntry<unknown>;
export type Entries = Map<string, Entry>;

export interface EntryFile {
  /** Reads, lets `work` change the entries, and writes where it did. One after the other. */
  change<T>(work: (entries: Entries, expired: readonly Entry[]) => T | Promise<T>): Promise<T>;
  /** The same at once. */
  changeSync<T>(work: (entries: Entries) => T): T;
  entry(key: string, value: unknown, ttlMs: unknown): Entry;
}

/** A change begins again where another one came in between. */
const maxTries = 20;

/** One JSON file of entries, oldest first. Another window may write it too, so that it is read each time. */
export function createEntryFile(path: string, clock: Clock): EntryFile {
  const inTurn = createSerialQueue();
  /** Counts changes made at once: one in the middle of another change has that begin again. */
  let version = 0;
  const isOver = ({ expiresAt }: Entry): boolean => expiresAt !== undefined && expiresAt <= clock.now();
  const alive = (before: readonly Entry[]): Entries =>
    new Map(before.filter((each) => !isOver(each)).map((each): [string, Entry] => [each.key, each]));
  const changeNow = async <T>(
    work: (entries: Entries, expired: readonly Entry[]) => T | Promise<T>,
  ): Promise<T> => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const seen = version;
      const before = await readEntries(path);
      const entries = alive(before);
      const result = await work(entries, before.filter(isOver));
      const text = JSON.stringify([...entries.values()]);
      if (text === JSON.stringify(before) || (await writeWhole(path, text, () => version === seen)))
        return result;
    }
    throw invalid('what changes it also changes it at once, again and again');
  };
  return {
    change: (work) => inTurn(() => changeNow(work)),
    changeSync(work) {
      const seen = version;
      const before = readEntriesSync(path);
      const entries = alive(before);
      const result = work(entries);
      if (version !== seen) throw invalid('what changes it must not change it again inside');
      const text = JSON.stringify([...entries.values()]);
      if (text !== JSON.stringify(before)) {
        version += 1;
        writeWholeSync(path, text);
      }
      return result;
    },
    entry(key, value, ttlMs) {
      const createdAt = clock.now();
      if (ttlMs === undefined) return { key, value, createdAt };
      if (typeof ttlMs !== 'number' || !Number.isFinite(ttlMs) || ttlMs <= 0)
        throw invalid('ttlMs must be a positive number');
      return { key, value, createdAt, expiresAt: createdAt + ttlMs };
    },
  };
}

async function readEntries(path: string): Promise<readonly Entry[]> {
  return parseEntries(
    path,
    await readFile(path, 'utf8').catch((error: unknown) => textOfMissing(path, error)),
  );
}

function readEntriesSync(path: string): readonly Entry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    text = textOfMissing(path, error);
  }
  return parseEntries(path, text);
}

/** A store without a file is empty. */
function textOfMissing(path: string, error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '[]';
  throw new PincerError('PLUGIN_STATE_READ_FAILED', `${path} could not be read.`, { cause: error });
}

function parseEntries(path: string, text: string): readonly Entry[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw corrupt(path, cause);
  }
  if (!Array.isArray(value)) throw corrupt(path);
  return value.filter(isEntry);
}

function corrupt(path: string, cause?: unknown): PincerError {
  return new PincerError('PLUGIN_STATE_CORRUPT', `${path} is no store of a plugin.`, {
    hint: 'Remove the file; the plugin then starts with an empty one.',
    cause,
  });
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { key, createdAt, expiresAt } = value;
  const isTime = (time: unknown): boolean => typeof time === 'number';
  return typeof key === 'string' && isTime(createdAt) && (expiresAt === undefined || isTime(expiresAt));
}

/** A crash leaves the old file or the new one. False, and nothing written, where it does not hold any more what was read. */
async function writeWhole(path: string, text: string, isCurrent: () => boolean): Promise<boolean> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const half = `${path}.${crypto.randomUUID()}`;
  await writeFile(half, text, { mode: 0o600 });
  if (isCurrent()) {
    // At once: a change may come in between otherwise.
    renameSync(half, path);
    return true;
  }
  await rm(half);
  return false;
}

function writeWholeSync(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const half = `${path}.${crypto.randomUUID()}`;
  writeFileSync(half, text, { mode: 0o600 });
  renameSync(half, path);
}

/** What a plugin gave can't be stored. */
export function invalid(why: string): PincerError {
  return new PincerError('PLUGIN_STATE_INVALID_INPUT', `plugin store: ${why}`);
}
