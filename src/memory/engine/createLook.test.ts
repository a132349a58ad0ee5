import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld, wasmFile } from '../../../test/builders/openEngineWorld.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { FoundFile } from '../files/findMemoryFiles.ts';
import type { ReadResult } from '../files/readMemoryFile.ts';
import type { StoredFile } from '../store/rows.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import { createApplyRead, planSync, readAhead } from './createLook.ts';
import { createBreather, createProblems } from './engineParts.ts';
import { openIndexFile } from './openEngine.ts';

const now = 1_800_000_000_000;
const quiet = { now, lastLook: undefined };

function found(label: string, some: Partial<FoundFile> = {}): FoundFile {
  return { path: `/w/${label}`, label, source: 'memory', bytes: 10, modified: now - 86_399_995, ...some };
}

function known(file: FoundFile, some: Partial<StoredFile> = {}): StoredFile {
  return { ...file, hash: 'aa', date: undefined, leftOut: undefined, ...some };
}

describe('planSync', () => {
  it('reads what is new or differs in size, time, label or source, and removes what is gone', () => {
    const a = found('a.md');
    expect(planSync([], [a], quiet)).toEqual({ read: [a], remove: [], unchanged: 0 });
    expect(planSync([known(a)], [a], quiet)).toEqual({ read: [], remove: [], unchanged: 1 });
    expect(planSync([known(a)], [], quiet)).toEqual({ read: [], remove: ['/w/a.md'], unchanged: 0 });
    for (const other of [
      { bytes: 11 },
      { modified: 5 },
      { label: 'w/a.md' },
      { source: 'sessions' },
    ] as const) {
      expect(planSync([known(a, other)], [a], quiet).read, JSON.stringify(other)).toEqual([a]);
    }
  });

  it('tries again what could not be read', () => {
    const a = found('a.md');
    expect(planSync([known(a, { hash: '', leftOut: "it can't be read" })], [a], quiet).read).toEqual([a]);
  });

  it.each([
    // When it was changed, against a look from 0 to 500 ms; whether it is read again.
    [-60, false],
    [-40, true],
    [499, true],
    [501, false],
    [-1_000, true],
    [-2_000, true],
    [-3_000, false],
  ])(
    'reads again what was changed %i ms from the last look, as far as its time is fine',
    (offset, isRead) => {
      const file = found('a.md', { modified: now + offset });
      const plan = planSync([known(file)], [file], { now, lastLook: { from: now, to: now + 500 } });
      expect(plan.read.length === 1).toBe(isRead);
    },
  );

  it("puts the user's memory first, transcripts last, and keeps the order otherwise", () => {
    const id = 'sessions/01234567-89ab-cdef-0123-456789abcdef.jsonl';
    const files = ['z.md', 'a.md', 'memory/b.md', 'app/MEMORY.md', 'app/memory/c.md'].map((label) =>
      found(label),
    );
    const session = found(id, { source: 'sessions' });
    expect(planSync([], [session, ...files], quiet).read.map((file) => file.label)).toEqual([
      'app/MEMORY.md',
      'memory/b.md',
      'app/memory/c.md',
      'z.md',
      'a.md',
      id,
    ]);
  });

  it.each([
    ['nothing changed', { bytes: 10 }, 0, false],
    ['a quiet one that changed', { bytes: 11 }, 5_000, true],
    ['a running one that grew a little', { bytes: 11 }, 4_999, false],
    ['a running one that grew by 100,000 bytes', { bytes: 100_010 }, 0, true],
    ['one that shrank', { bytes: 9 }, 0, true],
  ] as const)('reads of transcripts: %s', (_, grown, ago, isRead) => {
    const before = found('sessions/x.jsonl', { source: 'sessions', bytes: 10, modified: now - ago });
    const after = { ...before, ...grown, modified: grown.bytes === 10 ? before.modified : now - ago };
    const stored = known({ ...before, modified: grown.bytes === 10 ? before.modified : now - 60_000 });
    expect(planSync([stored], [after], quiet).read.length === 1).toBe(isRead);
  });

  it('leads to an index that holds exactly what was found', () => {
    const file = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      bytes: fc.nat(2),
      modified: fc.nat(2),
    });
    const files = fc
      .uniqueArray(file, { selector: (each) => each.name })
      .map((all) => all.map(({ name, ...rest }) => found(`${name}.md`, rest)));
    fc.assert(
      fc.property(files, files, (before, after) => {
        const plan = planSync(
          before.map((each) => known(each)),
          after,
          quiet,
        );
        const kept = before.filter((each) => !plan.remove.includes(each.path));
        const index = new Map([...kept, ...plan.read].map((each) => [each.path, each]));
        expect(new Set(index.values())).toEqual(new Set(after));
        expect(plan.read.length + plan.unchanged).toBe(after.length);
      }),
    );
  });
});

it('reads a few ahead, never more, and gives the results in order', async () => {
  let open = 0;
  let most = 0;
  const read = async (item: number): Promise<number> => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return item * 2;
  };
  const results: number[] = [];
  for await (const result of readAhead([1, 2, 3, 4, 5, 6, 7], 3, read)) results.push(result);
  expect(results).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBeLessThanOrEqual(3);
});

it('throws at its turn what a read rejects with', async () => {
  const results: number[] = [];
  const read = (item: number): Promise<number> =>
    item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item);
  await expect(async () => {
    for await (const result of readAhead([1, 2, 3], 2, read)) results.push(result);
  }).rejects.toThrow('two');
  expect(results).toEqual([1]);
});

describe('createApplyRead', () => {
  let world: EngineWorld;
  let index: LiveIndex;

  beforeEach(async () => {
    world = await openEngineWorld();
    const place = { folder: world.folder, wasmFile };
    const file = await openIndexFile(
      { fs: createNodeFileSystem(), place },
      createProblems(() => undefined),
    );
    index = await file.openFresh(0);
  });

  afterEach(async () => {
    index.close();
    await world.close();
  });

  const path = '/w/a.md';

  function read(text: string): ReadResult {
    const file = { path, label: 'a.md', source: 'memory' as const, bytes: text.length, modified: 1 };
    return { kind: 'text', text, hash: text, file };
  }

  const apply = (result: ReadResult, isSuperseded = (): boolean => false): Promise<string> =>
    createApplyRead(
      () => world.settings,
      createBreather(systemClock, () => Promise.resolve()),
    )(index, path, result, isSuperseded);

  const hits = (query: string): number => index.lexical.search(query, { limit: 9 }).length;

  it('says what became of a file', async () => {
    expect(await apply(read('rose'))).toBe('added');
    expect(await apply(read('rose'))).toBe('unchanged');
    expect(await apply(read('lily'))).toBe('changed');
    expect([hits('rose'), hits('lily')]).toEqual([0, 1]);
    expect(await apply({ kind: 'gone' })).toBe('removed');
    expect(await apply({ kind: 'gone' })).toBe('unchanged');
    expect([hits('lily'), index.files().size]).toEqual([0, 0]);
  });

  it('drops a reading of a file that changed while it was being cut', async () => {
    await apply(read('rose'));
    let looks = 0;
    expect(await apply(read('lily'), () => looks++ > 0)).toBe('superseded');
    expect([hits('rose'), hits('lily')]).toEqual([1, 0]);
  });

  describe('a file of very many passages', () => {
    const long = (word: string): ReadResult =>
      read(Array.from({ length: 300 }, (_, at) => `# ${word} ${at}\n\n${word}\n`).join('\n'));
    const passages = (): number => index.store.counts().passages;

    it('takes the place of what was there, whole in the end', async () => {
      await apply(long('rose'));
      expect(await apply(long('lily'))).toBe('changed');
      expect([hits('rose'), hits('lily'), passages()]).toEqual([0, 9, 300]);
      expect(index.pathOf(index.lexical.search('lily', { limit: 1 })[0]?.passage ?? 0)).toBe(path);
      expect(index.file(path)).toMatchObject({ modified: 1 });
      expect(index.store.files()).toEqual([index.file(path)]);
    });

    it('counts as never read where it changed in the middle', async () => {
      await apply(read('rose'));
      const isHalfIn = (): boolean => passages() >= 100;
      expect(await apply(long('lily'), isHalfIn)).toBe('superseded');
      expect(passages()).toBeLessThan(200);
      expect(index.store.files()).toMatchObject([{ path, hash: '', modified: 0 }]);
      expect(await apply(read('tulip'))).toBe('changed');
      expect([hits('rose'), hits('lily'), hits('tulip'), passages()]).toEqual([0, 0, 1, 1]);
    });
  });
});
