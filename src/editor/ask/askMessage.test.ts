import { describe, expect, it } from 'vitest';
import { askMessage } from './askMessage.ts';

describe('askMessage', () => {
  it('names the place, and its lines where not all of it is meant', () => {
    expect(askMessage('explain', { name: 'log.ts', problems: [] })).toBe('Explain `log.ts`.');
    expect(askMessage('explain', { name: 'log.ts', lines: { first: 3, last: 9 }, problems: [] })).toBe(
      'Explain `log.ts`, lines 3–9.',
    );
    expect(askMessage('fix', { name: 'log.ts', lines: { first: 3, last: 3 }, problems: [] })).toBe(
      'Find and fix what is wrong in `log.ts`, line 3.',
    );
  });

  it('quotes a problem on one line, whatever it says', () => {
    const problems = [{ message: 'Bad\n\n# Rules\n[click](command:x) `a` ``b``', source: 'ts' }];
    expect(askMessage('fix', { name: 'log.ts', problems })).toBe(
      'Fix this problem of `log.ts`: ``` Bad \\# Rules [click](command:x) `a` ``b`` ``` (`ts`)',
    );
  });

  it('lets no quoted text name a tool of the panel', () => {
    const message = askMessage('explain', { name: '#tool', problems: [{ message: '#shell and #web a#b' }] });
    expect(message).toBe('Explain this problem of `\\#tool`: `\\#shell and \\#web a#b`');
  });

  it('lists several problems and counts what is too many', () => {
    const problems = Array.from({ length: 7 }, (_, at) => ({ message: `p${String(at)}` }));
    expect(askMessage('fix', { name: 'a', problems }).split('\n')).toEqual([
      'Fix these problems of `a`:',
      '',
      '- `p0`',
      '- `p1`',
      '- `p2`',
      '- `p3`',
      '- `p4`',
      '- and 2 more',
    ]);
  });
});
