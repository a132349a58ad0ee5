import { describe, expect, it } from 'vitest';
import { explainParts, type ExplainedPart } from './explainParts.ts';

const shown = (line: string, shell: 'bash' | 'zsh' | 'pwsh' = 'bash'): string[] =>
  explainParts(line, shell).map(({ depth, kind, text, pieces = [] }: ExplainedPart) =>
    [depth, kind, text, ...pieces.map((piece) => `(${piece})`)].join(' '),
  );

describe('explainCommand', () => {
  it('names commands with what they set and redirect, and what substitutions run', () => {
    expect(shown('ls "a $(rm "$(pwd)")" > out && A=1 git push | sh')).toEqual([
      '0 command ls "a $(rm "$(pwd)")" > out (> out)',
      '0 substitution $(rm "$(pwd)")',
      '1 command rm "$(pwd)"',
      '1 substitution $(pwd)',
      '2 command pwd',
      '0 command A=1 git push (A=1)',
      '0 command sh',
    ]);
  });

  it('sees backticks in default values and process substitutions', () => {
    expect(shown('ls "${x:=`rm x`}" <(curl z)', 'zsh').filter((part) => part.startsWith('1'))).toEqual([
      '1 command rm x',
      '1 command curl z',
    ]);
  });

  it('looks into compound commands', () => {
    expect(shown('for f in *; do rm "$f"; done')).toEqual(['0 command rm "$f"']);
  });

  it.each([
    [
      '2>err ls >$(a > b)',
      [
        '0 command 2>err ls >$(a > b) (2>err) (>$(a > b))',
        '0 substitution $(a > b)',
        '1 command a > b (> b)',
      ],
    ],
    [
      'cat <<< "$(x)" > f',
      ['0 command cat <<< "$(x)" > f (<<< "$(x)") (> f)', '0 substitution $(x)', '1 command x'],
    ],
    ['A=$(x) > f', ['0 command A=$(x) > f (A=$(x)) (> f)', '0 substitution $(x)', '1 command x']],
    // No part has the text of these.
    ['for f in *; do rm "$f" > a; done > b', ['0 command rm "$f" > a (> a)', '0 redirect > b']],
    ['{ a; b; } >> f', ['0 command a', '0 command b', '0 redirect >> f']],
    [
      '`long command` `[[ a ]] > y`',
      [
        '0 command `long command` `[[ a ]] > y`',
        '0 substitution `long command`',
        '1 command long command',
        '0 substitution `[[ a ]] > y`',
        '1 redirect > y',
      ],
    ],
  ])('tells of %j what it redirects', (line, parts) => {
    expect(shown(line)).toEqual(parts);
  });

  it.each([
    'ls (',
    'ls &&',
    'ls "x',
    '# only',
    '',
    'ls # hidden',
    `ls ${'x '.repeat(20_000)}`,
    'ls; '.repeat(210),
  ])('shows the line itself where the parts would not tell all of it', (line) => {
    expect(shown(line)).toEqual([`0 line ${line}`]);
  });

  it('shows lines of other shells as they are', () => {
    expect(shown('ls; ls', 'pwsh')).toEqual(['0 line ls; ls']);
  });
});
