import { describe, expect, test } from 'vitest';
import { parsePatch } from './parsePatch.ts';

const wrap = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

function faultOf(input: string): string {
  try {
    parsePatch(input);
  } catch (error) {
    expect(error).toMatchObject({ code: 'patch_invalid' });
    return (error as Error).message;
  }
  return expect.unreachable('the patch should be refused');
}

const update = [
  '*** Update File: src/a b.ts',
  '@@ class A',
  '@@ run()',
  ' keep',
  '-old',
  '+new',
  '',
  '+more',
];
const file = {
  kind: 'update',
  path: 'src/a b.ts',
  line: 2,
  chunks: [
    {
      line: 3,
      context: ['class A', 'run()'],
      isEnd: false,
      lines: [
        { sign: ' ', text: 'keep' },
        { sign: '-', text: 'old' },
        { sign: '+', text: 'new' },
        { sign: ' ', text: '' },
        { sign: '+', text: 'more' },
      ],
    },
  ],
};

test('reads every kind of section', () => {
  expect(
    parsePatch(
      wrap(
        '*** Add File: new.md',
        '+# Hi',
        '+',
        '*** Add File: empty',
        '*** Delete File: old.md',
        '*** Update File: a',
        '*** Move to: b',
        '*** Update File: c',
        '-x',
        '*** End of File',
      ),
    ),
  ).toEqual([
    { kind: 'add', path: 'new.md', line: 2, text: '# Hi\n\n' },
    { kind: 'add', path: 'empty', line: 5, text: '' },
    { kind: 'delete', path: 'old.md', line: 6 },
    { kind: 'update', path: 'a', line: 7, moveTo: 'b', chunks: [] },
    {
      kind: 'update',
      path: 'c',
      line: 9,
      chunks: [{ line: 10, context: [], lines: [{ sign: '-', text: 'x' }], isEnd: true }],
    },
  ]);
});

describe('takes as models write it', () => {
  test.each([
    ['bare', wrap(...update)],
    ['with blank lines around', `\n\n${wrap(...update)}\n\n`],
    ['with Windows line ends', wrap(...update).replaceAll('\n', '\r\n')],
    ['with blank lines between sections', wrap(...update, '', '')],
  ])('%s', (_how, input) => {
    const shift = input.startsWith('\n') ? 2 : 0;
    expect(parsePatch(input)).toMatchObject([
      { ...file, line: 2 + shift, chunks: [{ ...file.chunks[0], line: 3 + shift }] },
    ]);
  });

  test.each([
    ["<<'EOF'", 'EOF'],
    ['<<EOF', 'EOF'],
    ['apply_patch <<"PATCH"', 'PATCH'],
    ['```diff', '```'],
  ])('in %s', (opening, closing) => {
    expect(parsePatch(`${opening}\n${wrap(...update)}\n${closing}\n`)).toMatchObject([
      { ...file, line: 3, chunks: [{ ...file.chunks[0], line: 4 }] },
    ]);
  });

  test('with line numbers behind @@, which are left out', () => {
    const [patch] = parsePatch(wrap('*** Update File: a', '@@ -1,2 +1,3 @@ function x()', '+y'));
    expect(patch).toMatchObject({ chunks: [{ context: ['function x()'] }] });
    const [bare] = parsePatch(wrap('*** Update File: a', '@@ -1 +1,3 @@', '+y'));
    expect(bare).toMatchObject({ chunks: [{ context: [] }] });
  });
});

test.each([
  ['', 'Line 2 of the patch: expected "*** Begin Patch". Nothing was written.'],
  ['<<EOF\nx\nEND', 'Line 1 of the patch: expected "*** Begin Patch"'],
  ['*** Begin Patch\n*** End Patch', 'Line 3 of the patch: the patch changes no file'],
  ['*** Begin Patch\n*** Delete File: a', 'Line 3 of the patch: the patch ends without "*** End Patch"'],
  [`${wrap('*** Delete File: a')}\nrm -rf x`, 'Line 4 of the patch: nothing may follow "*** End Patch"'],
  [wrap('*** Rename File: a'), 'Line 2 of the patch: expected "*** Add File: …"'],
  [wrap('*** Delete File:  '), 'Line 2 of the patch: the name of the file is missing'],
  [wrap('*** Update File: a', '*** Move to: '), 'Line 3 of the patch: the name of the file is missing'],
  [wrap('*** Update File: a'), 'Line 2 of the patch: the update of a changes nothing'],
  [
    wrap('*** Update File: a', '@@', ' same'),
    'Line 3 of the patch: this place has no line that begins with "+" or "-"',
  ],
  [wrap('*** Update File: a', '+x', 'y'), 'Line 4 of the patch: a line of a change begins with " " (kept)'],
  [wrap('*** Update File: a', '@@x', '+y'), 'Line 3 of the patch: there must be a space after "@@"'],
  [wrap('*** Update File: a', '+x', '*** End of File', '+y'), 'Line 5 of the patch: expected "@@"'],
  [wrap('*** Add File: a', '+x', 'y'), 'Line 4 of the patch: every line of an added file begins with "+"'],
  [wrap('*** Delete File: a', '-x'), 'Line 3 of the patch: expected'],
])('what is wrong is told with its line: %j', (input, message) => {
  expect(faultOf(input)).toContain(
    message.replace('Line 2 of the patch: expected "*** Begin', 'of the patch: expected "*** Begin'),
  );
});
