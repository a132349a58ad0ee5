import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureRetrieval } from './measureRetrieval.ts';
import { openFtsSearch } from './openFtsSearch.ts';
import { openMemorySearch } from './openMemorySearch.ts';
import type { RetrievalSearch } from './retrievalSearch.ts';
import { judgedQueries, readRetrievalSet } from './retrievalSet.ts';

const notes = join(import.meta.dirname, 'fixtures', 'notes.json');

describe('measureRetrieval', () => {
  it('asks the judged queries and takes the mean over them', async () => {
    const asked: string[] = [];
    const search: RetrievalSearch = {
      name: 'fake',
      search: (query) => Promise.resolve(asked.push(query) === 1 ? ['a'] : ['x']),
      close: () => Promise.resolve(),
    };
    const set = {
      docs: [{ id: 'a', title: '', text: '' }],
      queries: ['one', 'two', 'three'].map((text, index) => ({ id: String(index), text })),
      qrels: { 0: { a: 1 }, 1: { a: 1 }, 2: { a: 0 } },
    };
    expect(await measureRetrieval('set', set, search)).toMatchObject({
      queries: 2,
      documents: 1,
      ndcg: 0.5,
      recall: 0.5,
    });
    expect(asked).toEqual(['one', 'two']);
  });

  it('finds nearly everything in the notes that the project ships, and more than FTS5', async () => {
    const set = await readRetrievalSet(notes);
    const memory = await openMemorySearch(set);
    const fts = openFtsSearch(set, 'unicode61');
    try {
      const ours = await measureRetrieval('notes', set, memory);
      expect(ours.ndcg).toBeGreaterThan(0.9);
      expect(ours.ndcg).toBeGreaterThan((await measureRetrieval('notes', set, fts)).ndcg);
      expect(ours.queries).toBe(judgedQueries(set).length);
    } finally {
      await Promise.all([memory.close(), fts.close()]);
    }
  });
});

describe('readRetrievalSet', () => {
  it('says what is wrong with a file that holds none', async () => {
    const file = join(import.meta.dirname, 'retrievalSet.ts');
    expect(existsSync(file)).toBe(true);
    await expect(readRetrievalSet(file)).rejects.toMatchObject({ code: 'set_unreadable' });
  });
});
