import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTerms, unpackTerms } from './packTerms.ts';

function unpack(packed: Uint8Array): [number, number][] {
  const all: [number, number][] = [];
  unpackTerms(packed, (id, count) => all.push([id, count]));
  return all;
}

describe('packTerms', () => {
  it('gives the terms back, sorted', () => {
    const counts = fc.array(fc.tuple(fc.nat(2 ** 28), fc.integer({ min: 1, max: 255 })));
    fc.assert(
      fc.property(counts, (pairs) => {
        const map = new Map(pairs);
        expect(unpack(packTerms(map))).toEqual([...map].sort(([a], [z]) => a - z));
      }),
    );
  });

  it('takes a byte for a neighbour that occurs once, and two for one that occurs more often', () => {
    expect(
      packTerms(
        new Map([
          [5, 1],
          [6, 1],
          [7, 1],
        ]),
      ),
    ).toHaveLength(3);
    expect(
      packTerms(
        new Map([
          [5, 1],
          [6, 9],
          [7, 1],
        ]),
      ),
    ).toHaveLength(4);
  });

  it('keeps counts between 1 and 255, whole', () => {
    expect(
      unpack(
        packTerms(
          new Map([
            [1, 0.2],
            [2, 1.6],
            [3, 9_999],
          ]),
        ),
      ),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 255],
    ]);
  });
});

describe('unpackTerms', () => {
  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const [id, count] of unpack(bytes)) {
          expect(Number.isInteger(id) && id >= 0).toBe(true);
          expect(count >= 0 && count <= 255).toBe(true);
        }
      }),
    );
  });
});
