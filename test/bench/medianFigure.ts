import type { Figure } from './bench.ts';

/** The middle value; of an even number of them, the mean of the two in the middle; NaN where a sample is. @throws RangeError without samples. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError('There is no median of no samples.');
  // Sorting would leave a gap anywhere, and most often out of the middle.
  if (samples.some(Number.isNaN)) return Number.NaN;
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, each) => sum + each, 0) / middle.length;
}

/** A figure whose value is the median of its samples, which it keeps. @throws RangeError without samples. */
export function medianFigure(
  name: string,
  unit: Figure['unit'],
  samples: readonly number[],
  target: Pick<Figure, 'below'> = {},
): Figure {
  return { name, value: median(samples), unit, ...target, samples };
}
