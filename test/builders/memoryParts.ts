import type { Memory, MemoryAnswer, MemoryHit, MemoryStatus, VectorState } from '../../src/memory/memory.ts';
import { toTerminal, type Output } from '../../src/cli/output.ts';

/** No provider of embeddings. */
export const off: VectorState = { state: 'off', reason: 'no provider is set up', embedded: 0, total: 42 };
export const status: MemoryStatus = {
  isEnabled: true,
  files: 3,
  passages: 42,
  bytes: 3_400_000,
  indexPath: '/state/memory/index.sqlite',
  stale: 1,
  lastSync: Date.UTC(2026, 10, 21, 17),
  lastSyncMs: 1_250,
  role: 'writing',
  generation: 7,
  vector: off,
  problems: [],
};
export const hit: MemoryHit = {
  path: '/w/docs/setup.md',
  label: 'docs/setup.md',
  source: 'memory',
  startLine: 12,
  endLine: 14,
  headings: ['Setup', 'Keys'],
  text: 'The deploy key\nlies in the vault.',
  score: 0.873,
  date: '2026-11-01',
  why: {
    text: { score: 0.873, bm25: 6.9, terms: [{ term: 'key', bm25: 6.9 }] },
    weighted: 0.873,
    decay: 1,
    similarity: 0,
  },
};
export const answer: MemoryAnswer = { hits: [hit], mode: 'text', vector: off, tookMs: 1.5 };
/** A signal that never aborts. */
export const never = new AbortController().signal;

/** What a test needs of a memory; anything else fails. */
export function memoryOf(parts: Partial<Memory>): Memory {
  return parts as Memory;
}

/** A terminal whose texts are kept, as a command of the command line sees it. */
export function recordOutput(): { readonly output: Output; out(): string; err(): string } {
  let [out, err] = ['', ''];
  const output = toTerminal({ out: (text) => void (out += text), err: (text) => void (err += text) });
  return { output, out: () => out, err: () => err };
}
