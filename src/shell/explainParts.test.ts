import { describe, expect, it } from 'vitest';
import { explainParts, type CommandPart } from './explainParts.ts';

const shown = (line: string, shell: 'bash' | 'zsh' | 'pwsh' = 'bash'): string[] =>
  explainParts(line, shell).map((part: CommandPart) => `${part.depth} ${part.kind} ${part.text}`);

describe('explainCommand', () => {
  it('names commands, redirections, assignments and what substitutions run', () => {
    expect(shown('ls "a $(rm "$(pwd)")" > out && A=1 git push | sh')).toEqual([
      '0 command ls "a $(rm "$(pwd)")" > out',
      '0 substitution $(rm "$(pwd)")',
      '1 command rm "$(pwd)"',
      '1 substitution $(pwd)',
      '2 command pwd',
      '0 redirect > out',
      '0 command A=1 git push',
      '0 assignment A=1',
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
