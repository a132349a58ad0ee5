import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planEdits, type TextEdit } from './planEdits.ts';

const file = 'function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n';

function failure(text: string, ...edits: TextEdit[]): { code: string; message: string } {
  try {
    planEdits(text, edits, 'a.ts');
  } catch (error) {
    return error as { code: string; message: string };
  }
  return expect.unreachable('the edit should fail');
}

test('edits are looked up in the text before all of them', () => {
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'one' },
  ];
  expect(planEdits('one two', edits, 'a')).toBe('two one');
});

test('replacement text is taken literally', () => {
  expect(planEdits('a', [{ oldText: 'a', newText: '$& $1 \\n' }], 'a')).toBe('$& $1 \\n');
});

describe('a failed match', () => {
  test('shows the nearest lines with their numbers', () => {
    const error = failure(file, { oldText: 'function two() {\n    return  2;', newText: '' });
    expect(error).toMatchObject({ code: 'edit_not_found' });
    expect(error.message).toContain('The nearest lines are:\n5: function two() {\n6:   return 2;');
  });

  test('shows none where nothing is alike', () => {
    expect(failure(file, { oldText: 'zebra', newText: '' }).message).not.toContain('nearest');
    expect(failure(file, { oldText: '\t\t', newText: '' }).message).not.toContain('nearest');
  });

  test('names which of several edits it was', () => {
    const good = { oldText: 'one', newText: '1' };
    expect(failure(file, good, { oldText: 'three', newText: '3' }).message).toContain('oldText of edit 2');
  });

  test('says where an ambiguous text occurs', () => {
    expect(failure(file, { oldText: 'return', newText: 'yield' })).toMatchObject({
      code: 'edit_not_unique',
      message: 'The oldText occurs 2 times in a.ts (lines 2, 6); nothing was written.',
    });
    expect(failure('aaa', { oldText: 'aa', newText: 'b' }).code).toBe('edit_not_unique');
  });

  test('refuses edits that overlap, and edits that change nothing', () => {
    const overlapping = [
      { oldText: 'function one', newText: 'x' },
      { oldText: 'one()', newText: 'y' },
    ];
    expect(failure(file, ...overlapping).code).toBe('edit_overlap');
    expect(failure(file, { oldText: 'one', newText: 'one' }).code).toBe('edit_no_change');
  });

  test('is told quickly, also for a large file', () => {
    const large = Array.from({ length: 20_000 }, (_, at) => `  const value${at} = compute(${at});`).join(
      '\n',
    );
    const oldText = Array.from({ length: 40 }, (_, at) => `  const value${at} = compute(x${at});`).join('\n');
    expect(failure(large, { oldText, newText: '' }).message).toContain('1:   const value0');
  });
});

test('whatever the text, an edit either replaces its one occurrence or throws', () => {
  const text = fc.stringMatching(/^[ab\n]{0,12}$/u);
  const part = fc.stringMatching(/^[ab\n]{1,3}$/u);
  fc.assert(
    fc.property(text, part, part, (before, oldText, newText) => {
      const pieces = before.split(oldText);
      const overlaps = before.includes(oldText, before.indexOf(oldText) + 1);
      let after: string | undefined;
      try {
        after = planEdits(before, [{ oldText, newText }], 'a');
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^edit_/u) as string });
      }
      const expected = pieces.length === 2 && !overlaps && oldText !== newText;
      expect(after).toBe(expected ? pieces.join(newText) : undefined);
    }),
    { numRuns: 2_000 },
  );
});
