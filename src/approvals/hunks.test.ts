import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHunks, withoutHunks } from './hunks.ts';

const lines = (...each: readonly string[]): string => each.map((line) => `${line}\n`).join('');

describe('findHunks', () => {
  it('joins neighbouring changes and counts lines from 0 on both sides', () => {
    const edit = { before: lines('a', 'b', 'c', 'd'), after: lines('a', 'B', 'B2', 'c') };
    expect(findHunks(edit)).toEqual([
      { beforeStart: 1, afterStart: 1, removed: ['b\n'], added: ['B\n', 'B2\n'] },
      { beforeStart: 3, afterStart: 4, removed: ['d\n'], added: [] },
    ]);
  });

  it('takes making and deleting a file as one hunk, an empty file too', () => {
    expect(findHunks({ before: null, after: '' })).toEqual([
      { beforeStart: 0, afterStart: 0, removed: [], added: [] },
    ]);
    expect(findHunks({ before: lines('a', 'b'), after: null })).toEqual([
      { beforeStart: 0, afterStart: 0, removed: ['a\n', 'b\n'], added: [] },
    ]);
  });

  it('finds none where nothing differs', () => {
    expect(findHunks({ before: lines('a'), after: lines('a') })).toEqual([]);
  });

  it('sees line ends and a missing last one as a change of that line', () => {
    expect(findHunks({ before: 'a\r\nb', after: 'a\nb\n' })).toEqual([
      { beforeStart: 0, afterStart: 0, removed: ['a\r\n', 'b'], added: ['a\n', 'b\n'] },
    ]);
  });

  it('takes a rewrite of thousands of lines as one hunk between its first and last change', () => {
    const numbered = (mark: string) =>
      Array.from({ length: 3_000 }, (_, at) => (at % 2 === 0 ? `${at}` : `${at}${mark}`));
    const [hunk, ...more] = findHunks({
      before: lines('top', ...numbered('a'), 'end'),
      after: lines('top', ...numbered('b'), 'end'),
    });
    expect(more).toEqual([]);
    expect(hunk).toMatchObject({ beforeStart: 2, afterStart: 2 });
    expect(hunk?.removed).toHaveLength(2_999);
  });
});

describe('withoutHunks', () => {
  it('keeps the old lines of what was refused, in their place', () => {
    const edit = { before: lines('a', 'b', 'c'), after: lines('A', 'b', 'C', 'd') };
    expect(withoutHunks(edit, new Set([0]))).toBe(lines('a', 'b', 'C', 'd'));
    expect(withoutHunks(edit, new Set([1]))).toBe(lines('A', 'b', 'c'));
  });

  it('leaves no file where making it was refused, and the file where deleting it was', () => {
    expect(withoutHunks({ before: null, after: 'x' }, new Set([0]))).toBeNull();
    expect(withoutHunks({ before: 'x', after: null }, new Set([0]))).toBe('x');
    expect(withoutHunks({ before: 'x', after: null }, new Set())).toBeNull();
  });

  it('works on more lines than a call may have arguments', () => {
    const many = Array.from({ length: 200_000 }, (_, at) => `${at}\n`).join('');
    const edit = { before: many, after: `first\n${many}last\n` };
    expect(withoutHunks(edit, new Set([0]))).toBe(`${many}last\n`);
  });
});

/** Few different lines, all kinds of ends: the diff has many ways to go wrong. */
const anyText = fc
  .array(fc.constantFrom('a\n', 'b\n', '}\n', '\n', 'a\r\n'), { maxLength: 14 })
  .chain((body) => fc.constantFrom('', 'a', 'b').map((last) => body.join('') + last));

/** Lines that occur once, some of them replaced, removed or followed by new ones: only one diff is right. */
const clearEdit = fc
  .array(fc.constantFrom('keep', 'replace', 'remove', 'insert', 'keep'), { minLength: 1, maxLength: 30 })
  .map((actions) => {
    const made = { keep: '', replace: 'new', remove: '', insert: 'after' };
    const before = actions.map((_, at) => `old ${at}\n`).join('');
    const after = actions
      .map((action, at) => {
        const keeps = action === 'keep' || action === 'insert' ? `old ${at}\n` : '';
        return keeps + (made[action] === '' ? '' : `${made[action]} ${at}\n`);
      })
      .join('');
    return { before, after };
  });

const subsetOf = (count: number) =>
  fc.subarray(Array.from({ length: count }, (_, at) => at)).map((each) => new Set(each));

describe('any edit', () => {
  it('becomes its new text where nothing is refused and its old text where everything is', () => {
    const side = fc.option(anyText);
    fc.assert(
      fc.property(side, side, (before, after) => {
        const edit = { before, after };
        const all = new Set(findHunks(edit).keys());
        expect(withoutHunks(edit, new Set())).toBe(after);
        if (all.size > 0) expect(withoutHunks(edit, all)).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  it('loses no more and no fewer lines than the hunks that were left', () => {
    const edits = fc.record({ before: anyText, after: anyText });
    const withRefused = edits.chain((edit) => fc.tuple(fc.constant(edit), subsetOf(findHunks(edit).length)));
    fc.assert(
      fc.property(withRefused, ([edit, refused]) => {
        const sizeOf = (hunks: ReturnType<typeof findHunks>): number =>
          hunks.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
        const left = findHunks(edit).filter((_, at) => !refused.has(at));
        const text = withoutHunks(edit, refused);
        expect(sizeOf(findHunks({ ...edit, after: text }))).toBe(sizeOf(left));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads back as exactly the hunks that were left', () => {
    const withRefused = clearEdit.chain((edit) =>
      fc.tuple(fc.constant(edit), subsetOf(findHunks(edit).length)),
    );
    fc.assert(
      fc.property(withRefused, ([edit, refused]) => {
        const changes = (hunks: ReturnType<typeof findHunks>) =>
          hunks.map(({ beforeStart, removed, added }) => ({ beforeStart, removed, added }));
        const left = findHunks(edit).filter((_, at) => !refused.has(at));
        const text = withoutHunks(edit, refused);
        expect(changes(findHunks({ ...edit, after: text }))).toEqual(changes(left));
      }),
      { numRuns: 1_000 },
    );
  });
});
