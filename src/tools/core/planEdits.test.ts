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
  expect(planEdits('one two', edits, 'a').text).toBe('two one');
});

test('replacement text is taken literally', () => {
  expect(planEdits('a', [{ oldText: 'a', newText: '$& $1 \\n' }], 'a').text).toBe('$& $1 \\n');
});

describe('a text that does not occur exactly is found past', () => {
  const plan = (text: string, oldText: string, newText: string): unknown => {
    const { text: after, tolerances } = planEdits(text, [{ oldText, newText }], 'a');
    return [after, ...tolerances.map(({ line, ignored }) => `${line} ${ignored}`)];
  };

  test('line ends, where the file has both kinds', () => {
    expect(plan('a\r\nb\r\nc\n', 'a\nb\n', '1\n2\n')).toEqual(['1\r\n2\r\nc\n', '1 line ends']);
  });

  test('white space at line ends', () => {
    expect(plan('x\na  \nb\t\nc\n', 'a\nb\nc', 'A\nB')).toEqual(['x\nA\nB\n', '2 white space at line ends']);
    expect(plan('a\nb\n', 'a  \nb', 'c')).toEqual(['c\n', '1 white space at line ends']);
  });

  test('indentation, which the new text gets as well', () => {
    const file = 'class A {\n    run() {\n      go();\n    }\n}\n';
    expect(plan(file, 'run() {\n  go();\n}', 'run() {\n  if (x) {\n    go();\n  }\n\n}')).toEqual([
      'class A {\n    run() {\n      if (x) {\n        go();\n      }\n\n    }\n}\n',
      '2 indentation',
    ]);
    expect(plan('\trun()\n\tgo()\n', '\t\trun()\n\t\tgo()\n', '\t\tgo()\n')).toEqual([
      '\tgo()\n',
      '1 indentation',
    ]);
  });

  test('quotes, dashes and no-break spaces', () => {
    expect(plan('say “hi” – it’s\u00A0me\n', `say "hi" - it's me`, 'bye')).toEqual([
      'bye\n',
      '1 the kind of quotes, dashes and spaces',
    ]);
    expect(plan('  say “hi”\n  now\n', 'say "hi"\nnow\n', 'bye\nnow\n')).toEqual([
      '  bye\n  now\n',
      '1 indentation and the kind of quotes, dashes and spaces',
    ]);
  });

  test('nothing where the least that is looked past leaves several places', () => {
    expect(failure('a \nb\na  \nb\n', { oldText: 'a\nb', newText: '' })).toMatchObject({
      code: 'edit_not_unique',
      message:
        'The oldText does not occur exactly, and past white space at line ends it occurs 2 times in a.ts (lines 1, 3); nothing was written.',
    });
    expect(failure('  a\n  b\n    a\n    b\n', { oldText: 'a\nb', newText: '' }).code).toBe(
      'edit_not_unique',
    );
  });

  test('nothing where lines are indented unevenly, or the text is white space alone', () => {
    expect(failure('  a\n      b\n', { oldText: 'a\n  b', newText: '' }).code).toBe('edit_not_found');
    expect(failure('a\n\nb\n', { oldText: '  \n  ', newText: '' }).code).toBe('edit_not_found');
  });

  test('nothing where it occurs exactly, several times', () => {
    expect(failure('a\na\n a\n', { oldText: 'a', newText: '' }).code).toBe('edit_not_unique');
  });

  test('and other edits are looked up in the same text', () => {
    const edits = [
      { oldText: 'a\nb', newText: 'b\na' },
      { oldText: 'c', newText: 'd' },
    ];
    expect(planEdits('  a\n  b\nc\n', edits, 'x').text).toBe('  b\n  a\nd\n');
    expect(failure('  a\n  b\n', ...edits.slice(0, 1), { oldText: '  a', newText: '' }).code).toBe(
      'edit_overlap',
    );
  });
});

test('a tolerant match changes only what it found: all outside of it stays byte by byte', () => {
  const line = fc.stringMatching(/^[ \t]{0,3}[ab“"]{0,2}[ \t]{0,2}\r?$/u);
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, oldText) => {
      if (oldText === '') return;
      let planned: ReturnType<typeof planEdits>;
      try {
        planned = planEdits(before, [{ oldText, newText: 'NEW' }], 'a');
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^edit_/u) as string });
        return;
      }
      const [head = '', tail = ''] = planned.text.split('NEW');
      const fold = (part: string): string => part.replace(/[“"]/gu, '"').replace(/\s+/gu, '');
      const indent = /[ \t]*$/u.exec(head)?.[0] ?? '';
      expect(before.startsWith(head.slice(0, head.length - indent.length))).toBe(true);
      expect(before.endsWith(tail)).toBe(true);
      const found = before.slice(head.length - indent.length, before.length - tail.length);
      expect(fold(found)).toBe(fold(oldText));
    }),
    { numRuns: 3_000 },
  );
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
        after = planEdits(before, [{ oldText, newText }], 'a').text;
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^edit_/u) as string });
      }
      const expected = pieces.length === 2 && !overlaps && oldText !== newText;
      expect(after).toBe(expected ? pieces.join(newText) : undefined);
    }),
    { numRuns: 2_000 },
  );
});
