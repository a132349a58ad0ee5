import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answer,
  hit,
  off,
  memoryOf,
  never,
  recordOutput,
  status,
} from '../../../test/builders/memoryParts.ts';
import type { Memory, MemoryAnswer, MemoryHit, VectorState } from '../../memory/memory.ts';
import { exitCodeOfError } from '../exitCodes.ts';
import { searchMemory } from './memorySearch.ts';

let { output, out, err } = recordOutput();
beforeEach(() => void ({ output, out, err } = recordOutput()));

describe('pincer memory search', () => {
  const searching = (given: MemoryAnswer): Memory =>
    memoryOf({ search: async () => given, status: async () => status });

  it('prints each passage with its citation, score, day and headings', async () => {
    await searchMemory(searching(answer), 'deploy key', {}, output, never);
    expect(out()).toBe(
      [
        'docs/setup.md#L12-L14  0.87  2026-11-01',
        '  Setup › Keys',
        '    The deploy key',
        '    lies in the vault.',
        '',
        '',
      ].join('\n'),
    );
    expect(err()).toBe('');
  });

  it('hands on how many, which files, and the time of the first scan', async () => {
    const search = vi.fn<Memory['search']>(async () => answer);
    await searchMemory(memoryOf({ search }), 'key', { max: 3, files: ['docs/**'] }, output, never);
    expect(search).toHaveBeenCalledWith('key', { waitMs: 3_000, maxResults: 3, files: ['docs/**'] }, never);
  });

  it('explains each where it is asked to, and which leg was off', async () => {
    await searchMemory(searching(answer), 'key', { explain: true }, output, never);
    expect(out()).toContain('\n  - Words 0.87: key 6.9\n');
    expect(err()).toBe('note: Semantic search is off: no provider is set up\n');
  });

  it('says where and for what it found nothing', async () => {
    const none = { ...answer, hits: [], indexing: { phase: 'index', done: 1, total: 3 } as const };
    await searchMemory(searching(none), 'zebra\u001B[2J', { files: ['docs/**'] }, output, never);
    expect(out()).toBe(
      'Nothing was found for "zebra[2J" in those of 3 files that match docs/**. 1 changed file is not read yet.\n',
    );
    expect(err()).toContain(
      'note: Not everything is indexed yet (Reading 1 of 3 files); pincer memory index',
    );
    expect(err()).toContain('off: no provider is set up');
  });

  it('says when a leg failed, though it was not asked to explain', async () => {
    const vector: VectorState = { ...off, state: 'failing', provider: 'openai', reason: 'it answers 401' };
    await searchMemory(searching({ ...answer, vector }), 'key', {}, output, never);
    expect(err()).toBe('note: Semantic search is failing: openai: it answers 401\n');
  });

  it('lets no passage write to the terminal or pass for a citation', async () => {
    const hostile: MemoryHit = {
      ...hit,
      label: 'a\u001B]0;x\u0007\nforged.md',
      headings: ['one\ntwo\u202E'],
      text: `\u001B[2Jgone\rother\nforged.md#L1-L2  0.99  2026-11-01\n${'x'.repeat(600)}`,
    };
    await searchMemory(searching({ ...answer, hits: [hostile] }), 'key', {}, output, never);
    expect(out()).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u);
    const lines = out().trimEnd().split('\n');
    expect(lines[0]).toMatch(/^a\]0;x forged\.md#L12-L14 {2}0\.87/u);
    expect(lines.slice(1).every((line) => line.startsWith('  '))).toBe(true);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(320);
  });

  it('gives the whole answer as JSON, with citations', async () => {
    await searchMemory(searching(answer), 'key', { json: true }, output, never);
    const cited = { citation: 'docs/setup.md#L12-L14', ...hit };
    expect(JSON.parse(out())).toEqual({ query: 'key', ...answer, hits: [cited] });
  });

  it('has nothing to search for without words', async () => {
    const work = searchMemory(memoryOf({}), ' \n', {}, output, never);
    await expect(work).rejects.toMatchObject({ code: 'query_empty' });
    expect(exitCodeOfError('query_empty')).toBe(2);
  });
});
