import { appendFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createSummaries, type Summaries } from './createSummaries.ts';

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const header = (id: string): object => ({
  ...{ type: 'session', version: 2, id, key: `agent:main:cli:${id}`, kind: 'chat', agentId: 'main' },
  ...{ createdAt: 10, folders: [] },
});
let entries = 0;
const said = (text: string, timestamp: number): object => ({
  ...{ type: 'message', id: `e${(entries += 1)}`, parentId: null },
  message: { role: 'user', content: [{ type: 'text', text }], timestamp },
});
const lines = (...values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('summaries', () => {
  let folder: string;
  let bytesRead: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-summaries-'));
    bytesRead = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));
  const fileOf = (number: number): string => join(folder, `${idOf(number)}.jsonl`);
  const reopen = (): Summaries => {
    const fs = createNodeFileSystem();
    return createSummaries({
      fs: {
        ...fs,
        async readRange(...args) {
          const bytes = await fs.readRange(...args);
          bytesRead += bytes.length;
          return bytes;
        },
      },
      log: createInMemoryLog(),
      folder,
    });
  };
  const titles = async (summaries: Summaries): Promise<readonly string[]> =>
    (await summaries.all()).map(({ title }) => title);
  const big = 'x'.repeat(70_000);

  it('are newest first by what was said last, with the user’s name or the first words', async () => {
    await writeFile(fileOf(1), lines(header(idOf(1)), said('old words', 50), said('more', 60)));
    await writeFile(
      fileOf(2),
      lines(header(idOf(2)), said('x', 99), { type: 'name', id: 'n', parentId: null, name: 'Mine' }),
    );
    await writeFile(
      fileOf(3),
      lines(header(idOf(3)), { type: 'turn', id: 't', parentId: null, runId: 'r', state: 'started' }),
    );
    expect(await reopen().all()).toMatchObject([
      { id: idOf(2), title: 'Mine', isNamed: true, updatedAt: 99 },
      { id: idOf(1), title: 'old words', isNamed: false, createdAt: 10, updatedAt: 60, messageCount: 2 },
      { id: idOf(3), title: 'Untitled', updatedAt: 10, isInterrupted: true },
    ]);
  });

  it('read what was added, and nothing twice; also after a restart', async () => {
    await writeFile(fileOf(1), lines(header(idOf(1)), said('one', 21), said(big, 22)));
    const first = reopen();
    await first.all();
    expect(bytesRead).toBeGreaterThan(70_000);
    bytesRead = 0;
    await first.all();
    expect(await titles(reopen())).toEqual(['one']);
    expect(bytesRead).toBe(0);
    await appendFile(fileOf(1), `\n${lines(said('three', 23))}{"torn`);
    const again = reopen();
    expect(await again.all()).toMatchObject([{ messageCount: 3, updatedAt: 23 }]);
    expect(bytesRead).toBeLessThan(1_000);
    await appendFile(fileOf(1), `\u0018\n${lines(said('four', 24))}`);
    expect(await again.all()).toMatchObject([{ messageCount: 4, updatedAt: 24 }]);
  });

  it('read a file anew that is another one of the same length, or shorter', async () => {
    await writeFile(fileOf(1), lines(header(idOf(1)), said('one', 21)));
    const summaries = reopen();
    await summaries.all();
    await writeFile(fileOf(1), (await readFile(fileOf(1), 'utf8')).replace('one', 'two'));
    await utimes(fileOf(1), 1, 1);
    expect(await titles(summaries)).toEqual(['two']);
    await writeFile(fileOf(1), lines(header(idOf(1))));
    expect(await titles(summaries)).toEqual(['Untitled']);
  });

  it.each([
    '',
    'no json',
    '{"version":1,"seen":[]}',
    '{"version":9,"seen":{}}',
    `{"version":1,"seen":{"${idOf(1)}":{"size":1}}}`,
  ])('make a broken index anew: %j', async (index) => {
    await writeFile(fileOf(1), lines(header(idOf(1)), said('one', 21), said(big, 22)));
    await writeFile(join(folder, 'index.json'), index);
    expect(await titles(reopen())).toEqual(['one']);
    bytesRead = 0;
    expect(await titles(reopen())).toEqual(['one']);
    expect(bytesRead).toBe(0);
  });

  it('list a damaged session with what is wrong, and forget one that is gone', async () => {
    await writeFile(fileOf(1), 'no transcript\n');
    const summaries = reopen();
    expect(await summaries.all()).toMatchObject([
      { id: idOf(1), problem: 'Its transcript has no readable first line.' },
    ]);
    await rm(fileOf(1));
    expect(await summaries.all()).toEqual([]);
    expect(await summaries.one(idOf(1))).toBeUndefined();
  });

  it('take nothing else in the folder for a session', async () => {
    await writeFile(join(folder, `${idOf(1)}.plugins.json`), '{}');
    await writeFile(join(folder, 'notes.jsonl'), '{}');
    expect(await reopen().all()).toEqual([]);
  });
});
