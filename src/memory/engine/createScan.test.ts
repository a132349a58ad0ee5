import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FoundFile } from '../files/findMemoryFiles.ts';
import type { StoredFile } from '../store/rows.ts';
import { planSync, readAhead } from './createScan.ts';

const now = 1_800_000_000_000;
const quiet = { now, lastScan: undefined };

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
    // When it was changed, against a scan from 0 to 500 ms; whether it is read again.
    [-60, false],
    [-40, true],
    [499, true],
    [501, false],
    [-1_000, true],
    [-2_000, true],
    [-3_000, false],
  ])(
    'reads again what was changed %i ms from the last scan, as far as its time is fine',
    (offset, isRead) => {
      const file = found('a.md', { modified: now + offset });
      const plan = planSync([known(file)], [file], { now, lastScan: { from: now, to: now + 500 } });
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
