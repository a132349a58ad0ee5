import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextRing } from './createTextRing.ts';

test('keeps the end of all that was appended, wherever it is read', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.string({ maxLength: 30 })),
      fc.nat(200),
      fc.nat(200),
      (max, pieces, from, to) => {
        const ring = createTextRing(max);
        let all = '';
        for (const piece of pieces) {
          ring.append(piece);
          all += piece;
          expect(ring.read()).toBe(all.slice(-max));
        }
        expect(ring.total()).toBe(all.length);
        expect(ring.dropped()).toBe(Math.max(0, all.length - max));
        expect(ring.read(from)).toBe(all.slice(Math.max(from, ring.dropped())));
        expect(ring.read(from, to)).toBe(
          all
            .slice(Math.max(from, ring.dropped()), Math.max(to, ring.dropped()))
            .slice(0, Math.max(0, to - Math.max(from, ring.dropped()))),
        );
      },
    ),
  );
});

test('many small pieces cost little', () => {
  const ring = createTextRing(200_000);
  for (let at = 0; at < 300_000; at += 1) ring.append('x');
  expect(ring.read().length).toBe(200_000);
  expect(ring.dropped()).toBe(100_000);
});
