import { expect, it } from 'vitest';
import { median, medianFigure } from './medianFigure.ts';

it('takes the value in the middle by size, whatever the order and the outliers', () => {
  expect(median([900, 1, 3])).toBe(3);
  expect(median([10, 9, 100])).toBe(10);
  expect(median([5])).toBe(5);
});

it('takes the mean of the two in the middle of an even number', () => {
  expect(median([4, 1, 1000, 2])).toBe(3);
});

it('refuses to give a figure where nothing was measured', () => {
  expect(() => medianFigure('nothing', 'ms', [])).toThrow(RangeError);
});

it('is not a number as soon as one sample is none, so that a gap is never a good result', () => {
  expect(median([Number.NaN, 1, 2])).toBeNaN();
});
