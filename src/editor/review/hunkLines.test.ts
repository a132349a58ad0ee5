import { describe, expect, it } from 'vitest';
import { findHunks } from '../../approvals/hunks.ts';
import type { ReviewFile } from './createReviewState.ts';
import { hunkNear, hunkPlaces, summarizeHunk } from './hunkLines.ts';

function fileOf(before: string | null, after: string | null): ReviewFile {
  const edit = { path: '/w/a', label: 'a', before, after };
  return { edit, hunks: findHunks(edit) };
}

describe('the place of a hunk', () => {
  it('is where its lines are on that side, and empty where it has none', () => {
    const file = fileOf('a\nb\nc\nd\n', 'a\nB\nB2\nc\n');
    expect(hunkPlaces(file, 'after')).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: 4 },
    ]);
    expect(hunkPlaces(file, 'before')).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 4 },
    ]);
  });

  it('counts a lone carriage return as a line break, as the editor does', () => {
    const file = fileOf('one\rtwo\nb\n', 'one\rtwo\nB\rBB\n');
    expect(hunkPlaces(file, 'after')).toEqual([{ start: 2, end: 4 }]);
  });
});

describe('the hunk at a line', () => {
  const places = [
    { start: 2, end: 4 },
    { start: 10, end: 10 },
  ];

  it.each([
    [0, 0],
    [2, 0],
    [3, 0],
    [6, 0],
    [7, 1],
    [10, 1],
    [99, 1],
  ])('of line %i is hunk %i', (line, hunk) => {
    expect(hunkNear(places, line)).toBe(hunk);
  });

  it('is none in a file without hunks', () => {
    expect(hunkNear([], 3)).toBeUndefined();
  });
});

describe('the summary of a hunk', () => {
  const summaryOf = (before: string | null, after: string | null) => {
    const [hunk] = fileOf(before, after).hunks;
    return hunk === undefined ? undefined : summarizeHunk(hunk);
  };

  it('counts lines from 1 in the new text and shows the first that says something', () => {
    expect(summaryOf('a\nb\n', 'a\n\n  day two\nb\n')).toEqual({
      first: 2,
      last: 3,
      added: 2,
      removed: 0,
      sample: '+ day two',
    });
  });

  it('counts removed lines in the old text', () => {
    expect(summaryOf('a\nb\nc\n', 'c\n')).toEqual({
      first: 1,
      last: 2,
      added: 0,
      removed: 2,
      sample: '− a',
    });
  });

  it('has no sample of a new file without text', () => {
    expect(summaryOf(null, '')).toEqual({ first: 1, last: 1, added: 0, removed: 0, sample: '' });
  });

  it('shows no hidden characters and cuts long lines', () => {
    const sample = summaryOf('', `\u202E${'x'.repeat(500)}\n`)?.sample ?? '';
    expect(sample).toMatch(/^\+ x+…$/u);
    expect(sample.length).toBeLessThan(90);
  });
});
