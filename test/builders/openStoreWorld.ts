import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { loadSqlite } from '../../src/host/loadSqlite.ts';
import {
  type MemoryStore,
  type OpenedStore,
  openStore,
  type OpenStoreOptions,
} from '../../src/memory/store/openStore.ts';
import type { NewPassage, StoredFile } from '../../src/memory/store/rows.ts';

/** A temporary folder with one index file. */
export interface StoreWorld {
  readonly sqlite: SqlJsStatic;
  readonly folder: string;
  /** Of the index. */
  readonly file: string;
  open(changes?: Partial<OpenStoreOptions>): Promise<OpenedStore>;
  /** An index file with one note of two passages. */
  saveNotes(): Promise<void>;
  /** Closes all that was opened and removes the folder. */
  close(): Promise<void>;
}

export const notes: StoredFile = {
  path: '/w/notes.md',
  label: 'notes.md',
  source: 'memory',
  hash: 'f1',
  modified: 1_700_000_000_000.25,
  bytes: 5_000_000_000,
  date: '2026-02-15',
  leftOut: undefined,
};

export function passageOf(text: string, change: Partial<NewPassage> = {}): NewPassage {
  const terms = { packed: new Uint8Array([1, 2, 255]), length: 2.5 };
  return {
    startLine: 1,
    endLine: 3,
    headings: ['One', 'Zwei "3"'],
    text,
    hash: `h-${text}`,
    terms,
    ...change,
  };
}

export async function loadTestSqlite(): Promise<SqlJsStatic> {
  const wasmFile = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');
  return await loadSqlite(createNodeFileSystem(), wasmFile);
}

export async function openStoreWorld(): Promise<StoreWorld> {
  const fs = createNodeFileSystem();
  const sqlite = await loadTestSqlite();
  const folder = await mkdtemp(join(tmpdir(), 'pincer-store-'));
  const file = join(folder, 'deep', 'index.db');
  const opened: MemoryStore[] = [];
  const open: StoreWorld['open'] = async (changes = {}) => {
    const result = await openStore({ fs, sqlite, file, ...changes });
    opened.push(result.store);
    return result;
  };
  return {
    sqlite,
    folder,
    file,
    open,
    async saveNotes() {
      const { store } = await open();
      store.addTerms(0, ['alpha', 'beta']);
      store.replaceFile(notes, [passageOf('first'), passageOf('second')]);
      await store.save();
    },
    async close() {
      for (const store of opened) store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
