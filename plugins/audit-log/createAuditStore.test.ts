import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditStore, type AuditStore, type AuditStoreOptions } from './createAuditStore.ts';
import { planDeletions } from './planFiles.ts';

const day = 86_400_000;
let folder: string;
let time: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-audit-'));
  time = Date.UTC(2026, 0, 1, 12);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (options: Partial<AuditStoreOptions> = {}): AuditStore =>
  createAuditStore({
    folder,
    keepDays: 30,
    maxFileBytes: 1_000_000,
    maxTotalBytes: 10_000_000,
    now: () => time,
    onBroken: (error) => {
      throw error;
    },
    ...options,
  });
const entry = (n: number): { time: string; kind: string; n: number } => ({
  time: new Date(time).toISOString(),
  kind: 'test',
  n,
});

describe('createAuditStore', () => {
  it('keeps the order of what is appended and writes it in few pieces', async () => {
    const store = open();
    for (let n = 0; n < 1_000; n += 1) store.append(entry(n));
    expect((await store.tail(1_000)).map((each) => each['n'])).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n),
    );
    const text = await readFile(join(folder, 'audit-2026-01-01.jsonl'), 'utf8');
    expect(text.split('\n').filter((line) => line === '').length).toBeLessThan(10);
  });

  it('begins a file for each day, and another one when a file is full', async () => {
    const store = open({ maxFileBytes: 50 });
    for (let n = 0; n < 3; n += 1) {
      store.append(entry(n));
      await store.flush();
    }
    time += day;
    store.append(entry(3));
    await store.flush();
    expect((await readdir(folder)).sort()).toEqual([
      'audit-2026-01-01.1.jsonl',
      'audit-2026-01-01.2.jsonl',
      'audit-2026-01-01.jsonl',
      'audit-2026-01-02.jsonl',
    ]);
    expect((await store.tail(3)).map((each) => each['n'])).toEqual([1, 2, 3]);
  });

  it('deletes what is too old, and nothing that it did not write', async () => {
    for (const name of ['audit-2025-11-01.jsonl', 'audit-2025-12-20.jsonl', 'notes.txt', 'audit-x.jsonl'])
      await writeFile(join(folder, name), 'x');
    const store = open();
    store.append(entry(1));
    await store.flush();
    expect((await readdir(folder)).sort()).toEqual([
      'audit-2025-12-20.jsonl',
      'audit-2026-01-01.jsonl',
      'audit-x.jsonl',
      'notes.txt',
    ]);
  });

  it('counts what did not fit into memory while the disk failed', async () => {
    let failures = 0;
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const store = open({ onBroken: () => (failures += 1) });
    for (let n = 0; n < 10_005; n += 1) store.append(entry(n));
    await store.flush();
    await rm(folder);
    const [gap, ...rest] = await store.tail(20_000);
    expect(failures).toBe(1);
    expect(gap).toMatchObject({ kind: 'gap', dropped: 5 });
    expect(rest).toHaveLength(10_000);
  });
});

describe('planDeletions', () => {
  const file = (name: string, bytes: number): { name: string; day: string; part: number; bytes: number } => ({
    name,
    day: name,
    part: 0,
    bytes,
  });

  it('deletes the oldest until the total fits, and never the newest', () => {
    const files = [file('2026-01-01', 40), file('2026-01-02', 40), file('2026-01-03', 400)];
    const now = Date.UTC(2026, 0, 3);
    expect(planDeletions(files, now, { keepDays: 30, maxTotalBytes: 450 })).toEqual(['2026-01-01']);
    expect(planDeletions(files, now, { keepDays: 30, maxTotalBytes: 1 })).toEqual([
      '2026-01-01',
      '2026-01-02',
    ]);
    expect(planDeletions(files, now, { keepDays: 1, maxTotalBytes: 1_000 })).toEqual(['2026-01-01']);
  });
});
