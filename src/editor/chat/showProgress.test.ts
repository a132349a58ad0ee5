import { expect, it } from 'vitest';
import { showProgress } from './showProgress.ts';

it.each([
  ['[free](https://evil.example/x)', '\\[free\\]\\(https\\://evil\\.example/x\\)'],
  [
    '![x](http://a/b) **bold** `code` <b>',
    '\\!\\[x\\]\\(http\\://a/b\\) \\*\\*bold\\*\\* \\`code\\` \\<b\\>',
  ],
  ['$(error) a\nb\u202Ec', '\\$\\(error\\) a bc'],
])('shows %j literally, in one line', (text, shown) => {
  const lines: string[] = [];
  showProgress({ progress: (line) => void lines.push(line) }, text);
  expect(lines).toEqual([shown]);
});

it('cuts what is long', () => {
  const lines: string[] = [];
  showProgress({ progress: (line) => void lines.push(line) }, 'a'.repeat(1_000));
  expect(lines[0]).toHaveLength(200);
});
