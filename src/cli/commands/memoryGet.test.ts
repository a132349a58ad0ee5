import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryOf, recordOutput } from '../../../test/builders/memoryParts.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { Memory, MemoryFile } from '../../memory/memory.ts';
import { getFromMemory } from './memoryGet.ts';

let { output, out, err } = recordOutput();
beforeEach(() => void ({ output, out, err } = recordOutput()));

describe('pincer memory get', () => {
  let folder: string;
  let memory: Memory;
  const fs = createNodeFileSystem();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-memory-get-'));
    await writeFile(join(folder, 'a.md'), '# One\ntwo\nthree\nfour');
    const file: MemoryFile = {
      path: join(folder, 'a.md'),
      label: 'docs/a.md',
      source: 'memory',
      passages: 1,
      bytes: 19,
      modified: 0,
      state: 'indexed',
    };
    const said: MemoryFile = { ...file, label: 'sessions/s1.jsonl', source: 'sessions' };
    memory = memoryOf({
      find: async (name) => [file, said].find(({ label }) => label === name),
      files: async () => [file, said],
      readSession: async (label) => (label === said.label ? 'User: hello\n' : undefined),
    });
  });
  afterEach(async () => await rm(folder, { recursive: true }));

  it.each([
    ['the whole file', 'docs/a.md', {}, '# One\ntwo\nthree\nfour\n'],
    ['some lines', 'docs/a.md', { from: 2, lines: 2 }, 'two\nthree\n'],
    ['to the end', 'docs/a.md', { from: 3 }, 'three\nfour\n'],
    ['what a citation names', 'docs/a.md#L2-L3', {}, 'two\nthree\n'],
    ['the one line that it names', 'docs/a.md#L2', {}, 'two\n'],
    ['what a citation names, but further', 'docs/a.md#L2-L3', { lines: 3 }, 'two\nthree\nfour\n'],
    ['what was said', 'sessions/s1.jsonl', {}, 'User: hello\n'],
  ])('prints %s', async (_what, name, options, text) => {
    await getFromMemory(memory, fs, name, options, output);
    expect(out()).toBe(text);
  });

  it('gives lines and where they are as JSON', async () => {
    await getFromMemory(memory, fs, 'docs/a.md', { from: 2, lines: 1, json: true }, output);
    expect(JSON.parse(out())).toEqual({
      path: join(folder, 'a.md'),
      label: 'docs/a.md',
      source: 'memory',
      from: 2,
      lines: 1,
      totalLines: 4,
      text: 'two\n',
    });
  });

  it('says where a file ends', async () => {
    await getFromMemory(memory, fs, 'docs/a.md', { from: 9 }, output);
    expect(out()).toBe('');
    expect(err()).toBe('note: docs/a.md has 4 lines; there is nothing from line 9 on.\n');
  });

  it('knows no other file, and names the nearest', async () => {
    await expect(getFromMemory(memory, fs, 'docs/b.md#L2', {}, output)).rejects.toMatchObject({
      code: 'memory_file_unknown',
      message: 'The memory holds no file docs/b.md.',
      hint: expect.stringContaining('docs/a.md') as string,
    });
  });

  it('says when a file has gone since', async () => {
    await rm(join(folder, 'a.md'));
    await expect(getFromMemory(memory, fs, 'docs/a.md', {}, output)).rejects.toMatchObject({
      code: 'memory_file_unreadable',
      message: "docs/a.md can't be read: it is not there any more.",
    });
  });
});
