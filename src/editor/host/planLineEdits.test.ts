import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLineEdits } from './planLineEdits.ts';

/** What an editor makes of it: lines of the old text, ranges that end at most at its end. */
function applied(text: string, next: string): string {
  const starts = [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  const place = (line: number): number => starts[line] ?? text.length;
  let result = '';
  let at = 0;
  for (const { start, end, text: added } of planLineEdits(text, next)) {
    expect(place(start)).toBeGreaterThanOrEqual(at);
    result += text.slice(at, place(start)) + added;
    at = place(end);
  }
  return result + text.slice(at);
}

test('the edits lead from one text to the other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '\n'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applied(before, after)).toBe(after);
    }),
    { numRuns: 2_000 },
  );
});

test('only lines that differ are replaced', () => {
  expect(planLineEdits('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n')).toEqual([
    { start: 1, end: 2, text: 'B\n' },
    { start: 4, end: 4, text: 'e\n' },
  ]);
});

test('line ends are those of the document', () => {
  expect(planLineEdits('a\r\nb\r\n', 'a\nb\n')).toEqual([]);
  expect(planLineEdits('a\r\nb\r\n', 'a\nB\n')).toEqual([{ start: 1, end: 2, text: 'B\r\n' }]);
});
