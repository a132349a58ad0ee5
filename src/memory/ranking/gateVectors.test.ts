import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateVectors, guardedHitsOf } from './gateVectors.ts';

const item = (passage: number, textStrength = 0): { passage: number; textStrength: number } => ({
  passage,
  textStrength,
});
const passages = (items: readonly { passage: number }[]): readonly number[] =>
  items.map(({ passage }) => passage);

describe('gateVectors', () => {
  it('lets meaning come first, and the best words second', () => {
    const order = [item(1), item(2), item(3), item(4, 8)];
    expect(passages(gateVectors(order))).toEqual([1, 4, 2, 3]);
  });

  it('gives the text at the worst every second place', () => {
    const order = [item(1), item(2), item(3), item(4), item(5, 7), item(6, 8), item(7, 6)];
    expect(passages(gateVectors(order))).toEqual([1, 6, 2, 5, 3, 7, 4]);
  });

  it('changes nothing where both legs agree well enough', () => {
    const order = [item(1, 8), item(2), item(3, 7), item(4), item(5)];
    expect(gateVectors(order)).toEqual(order);
  });

  it('does not raise what the words found by half as much or less', () => {
    const order = [item(1), item(2), item(3), item(4, 8), item(5, 3.9)];
    expect(passages(gateVectors(order))).toEqual([1, 4, 2, 3, 5]);
  });

  const orders = fc
    .array(fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 30, noNaN: true })), { maxLength: 30 })
    .map((strengths) => strengths.map((strength, at) => item(at, strength)));

  it('keeps the r-th hit of the text within the first 2r, whatever the merged order', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const gated = gateVectors(order);
        expect(passages(gated).toSorted((a, b) => a - b)).toEqual(passages(order));
        for (const [at, guarded] of guardedHitsOf(order).entries())
          expect(gated.indexOf(guarded)).toBeLessThan(2 * (at + 1));
      }),
    );
  });
});
