import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPostings, packTerms, type Postings, unpackTerms } from './createPostings.ts';

const entries = (postings: Postings, term: number): [number, number][] =>
  Array.from(postings.of(term))
    .filter((cell) => (cell & 255) > 0)
    .map((cell) => [cell >>> 8, cell & 255]);

describe('createPostings', () => {
  it('holds what a map of maps would hold, whatever is added, removed and renumbered', () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('add' as const),
          term: fc.nat(6),
          count: fc.integer({ min: 1, max: 255 }),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('remove' as const), term: fc.nat(6), slot: fc.nat(60) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('renumber' as const) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const postings = createPostings();
        let model = new Map<number, Map<number, number>>();
        let next = 0;
        for (const each of steps) {
          if (each.kind === 'add') {
            postings.add(each.term, next, each.count);
            model.set(each.term, (model.get(each.term) ?? new Map<number, number>()).set(next, each.count));
            next += 1;
          } else if (each.kind === 'remove') {
            postings.remove(each.term, each.slot);
            model.get(each.term)?.delete(each.slot);
          } else {
            const live = [...new Set([...model.values()].flatMap((slots) => [...slots.keys()]))].sort(
              (a, z) => a - z,
            );
            const numberOf = (slot: number): number => live.filter((other) => other < slot).length;
            postings.renumber(numberOf);
            model = new Map(
              [...model].map(([term, slots]) => [
                term,
                new Map([...slots].map(([slot, count]) => [numberOf(slot), count])),
              ]),
            );
            next = live.length;
          }
        }
        for (let term = 0; term <= 7; term += 1) {
          const slots = model.get(term) ?? new Map<number, number>();
          expect(entries(postings, term)).toEqual([...slots]);
          expect(postings.size(term)).toBe(slots.size);
        }
      }),
    );
  });

  it('takes few bytes for an entry of many: four, and room to grow', () => {
    const postings = createPostings();
    let count = 0;
    for (let slot = 0; slot < 2_000; slot += 1) {
      for (let term = 0; term < 4_000; term += 1 + ((slot * 7 + term) % 97)) {
        postings.add(term, slot, 1);
        count += 1;
      }
    }
    expect(postings.bytes / count).toBeLessThan(9);
  });

  it('uses the room again that was left', () => {
    const postings = createPostings();
    let slot = 0;
    const round = (): number => {
      const first = slot;
      for (; slot < first + 500; slot += 1)
        for (let term = 0; term < 20; term += 1) postings.add(term, slot, 1);
      for (let gone = first; gone < slot; gone += 1)
        for (let term = 0; term < 20; term += 1) postings.remove(term, gone);
      return postings.bytes;
    };
    const early = Math.max(round(), round());
    for (let index = 0; index < 20; index += 1) round();
    expect(round()).toBe(early);
    expect(postings.size(3)).toBe(0);
  });
});

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
