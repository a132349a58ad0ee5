import { expect, it } from 'vitest';
import type { Figure } from './bench.ts';
import { formatTable } from './formatTable.ts';

const verdictOf = (figure: Pick<Figure, 'value' | 'below'>): string | undefined =>
  formatTable([{ bench: 'b', figures: [{ name: 'f', unit: 'ms', ...figure }] }])
    .split('\n')
    .at(-1)
    ?.split(/\s{2,}/u)
    .slice(4)
    .join(' ');

it('aligns names to the left and numbers to the right, one line a figure', () => {
  const table = formatTable([
    { bench: 'sizes', figures: [{ name: 'dist/extension.js', value: 40.5, unit: 'kB', below: 500 }] },
    { bench: 'empty', figures: [], problem: 'no luck' },
    { bench: 'hooks', figures: [{ name: 'has()', value: 1234.5, unit: 'ns' }] },
  ]);
  expect(table).toBe(
    [
      'bench  figure             value  unit  target',
      '─────  ─────────────────  ─────  ────  ──────  ──',
      'sizes  dist/extension.js   40.5  kB     < 500  ok',
      'hooks  has()               1235  ns',
    ].join('\n'),
  );
});

it('calls a target missed from its very value on, and where the value is no number', () => {
  expect(verdictOf({ value: 14.9, below: 15 })).toBe('< 15 ok');
  expect(verdictOf({ value: 15, below: 15 })).toBe('< 15 missed');
  expect(verdictOf({ value: Number.NaN, below: 15 })).toBe('< 15 missed');
  expect(verdictOf({ value: 15 })).toBe('');
});
