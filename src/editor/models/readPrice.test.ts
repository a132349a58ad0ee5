import { expect, it } from 'vitest';
import { readPrice } from './readPrice.ts';

it.each([
  ['3', 3],
  ['0.25', 0.25],
  ['0,15', 0.15],
  ['.5', 0.5],
  [' $ 15.00 ', 15],
  ['0', 0],
  ['', undefined],
  ['-1', undefined],
  ['1.2.3', undefined],
  ['1,000.50', undefined],
  ['three', undefined],
  ['Infinity', undefined],
])('%s is %s', (text, price) => {
  expect(readPrice(text)).toBe(price);
});
