import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import type { FileSystem } from '../../../src/host/ports.ts';
import { loadSqlite } from '../../../src/host/loadSqlite.ts';
import { type MemoryStore, type OpenedStore, openStore } from '../../../src/memory/store/openStore.ts';
import type { NewPassage } from '../../../src/memory/store/rows.ts';

// What an index holds in each generation, so that one who finds a file knows what must be in it. Pure: all of it follows from
// a seed.

/** What becomes of a file: words that its passages' texts follow from, and how many there are; undefined takes it out. */
type Change = { readonly words: string; readonly passages: number } | undefined;

const files = 12;
const changesPerGeneration = 4;

/** A whole number below `below` that follows from the words. */
function draw(below: number, words: string): number {
  return createHash('sha256').update(words).digest().readUInt32BE() % below;
}

/** By the names of the files. */
export function changesOf(seed: string, generation: number): ReadonlyMap<string, Change> {
  const changes = Array.from({ length: changesPerGeneration }, (_, n) => {
    const words = `${seed} ${generation} ${n}`;
    const isGone = draw(5, `${words} gone`) === 0;
    const change = isGone ? undefined : { words, passages: draw(200, `${words} passages`) };
    return [`/notes/${draw(files, words)}.md`, change] as const;
  });
  return new Map(changes);
}

/** Hardly to be packed, so that there is something to write. */
function textsOf({ words, passages }: NonNullable<Change>): readonly string[] {
  return Array.from({ length: passages }, (_, passage) =>
    createHash('shake256', { outputLength: 900 }).update(`${words} ${passage}`).digest('base64'),
  );
}

/** All that the index holds in a generation. */
export function contentAt(seed: string, generation: number): Readonly<Record<string, readonly string[]>> {
  const changes = Array.from({ length: generation }, (_, before) => [...changesOf(seed, before + 1)]).flat();
  const last = [...new Map(changes)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(last.flatMap(([name, change]) => (change ? [[name, textsOf(change)]] : [])));
}

export function contentOf(store: MemoryStore): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    store.files().map(({ path }) => [path, store.passagesOf(path).map(({ text }) => text)]),
  );
}

/** Makes a generation out of the one before; `around` is told of each file. */
export function applyChanges(
  store: MemoryStore,
  changes: ReturnType<typeof changesOf>,
  around: (name: string) => void,
): void {
  for (const [name, change] of changes) {
    around(name);
    if (change === undefined) store.removeFile(name);
    else store.replaceFile(fileOf(name), textsOf(change).map(passageOf));
  }
}

function fileOf(path: string): Parameters<MemoryStore['replaceFile']>[0] {
  const rest = { hash: 'h', modified: 1, bytes: 1, date: undefined, leftOut: undefined };
  return { path, label: path, source: 'memory', ...rest };
}

function passageOf(text: string): NewPassage {
  const terms = { packed: new Uint8Array([1, 2, 3]), length: 3 };
  return { startLine: 1, endLine: 1, headings: ['Notes'], text, hash: text.slice(0, 64), terms };
}

export async function openIndex(root: string, fs: FileSystem = createNodeFileSystem()): Promise<OpenedStore> {
  const wasmFile = join(import.meta.dirname, '../../../node_modules/sql.js/dist/sql-wasm.wasm');
  const sqlite = await loadSqlite(createNodeFileSystem(), wasmFile);
  return await openStore({ fs, sqlite, file: indexFile(root) });
}

export function indexFile(root: string): string {
  return join(root, 'state', 'index.sqlite');
}
