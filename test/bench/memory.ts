import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figure } from './bench.ts';
import { readMarkdownTexts } from './memoryCorpus.ts';
import { measureFootprint } from './memoryFootprint.ts';
import { measureFreshness } from './memoryFreshness.ts';
import { measureSearch, type SearchSize } from './memorySearch.ts';

const sizes: readonly SearchSize[] = [
  { passages: 5_000, p95Below: 10 },
  { passages: 20_000, p95Below: 25 },
  { passages: 50_000, p95Below: 60 },
];

/**
 * The memory over real markdown, through its thread as the editor uses it: search and indexing beside FTS5, minisearch and
 * ripgrep on the same passages and queries, how soon it knows of changes, and what it costs the process.
 */
export const bench: Bench = {
  name: 'memory',
  needsEditor: false,
  async run() {
    const root = await mkdtemp(join(tmpdir(), 'pincer-bench-memory-'));
    try {
      const texts = await readMarkdownTexts();
      const figures: Figure[] = [];
      figures.push(...(await measureFootprint(root, texts)));
      figures.push(...(await measureFreshness(root, texts)));
      for (const size of sizes) figures.push(...(await measureSearch(root, texts, size)));
      return figures;
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};
