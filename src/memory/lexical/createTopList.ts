import type { LexicalHit } from './lexicalIndex.ts';

/** Keeps the best of many hits: a heap with the worst on top, so that most of them are refused at one look. */
export interface TopList {
  offer(hit: LexicalHit): void;
  /** A hit that scores less than this, and that the query does not name, is refused. */
  readonly floor: number;
  /** Best first. */
  hits(): readonly LexicalHit[];
}

/** @param accepts Asked only where a hit is good enough. */
export function createTopList(limit: number, accepts: (passage: number) => boolean = () => true): TopList {
  const heap: LexicalHit[] = [];

  const isWorse = (a: number, z: number): boolean => {
    const hit = heap[a];
    const other = heap[z];
    return hit !== undefined && other !== undefined && compareHits(hit, other) > 0;
  };
  const swap = (a: number, z: number): void => {
    const hit = heap[a];
    const other = heap[z];
    if (hit === undefined || other === undefined) return;
    heap[a] = other;
    heap[z] = hit;
  };
  const rise = (): void => {
    for (let at = heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = isWorse(left + 1, left) ? left + 1 : left;
      if (!isWorse(child, at)) return;
      swap(at, child);
      at = child;
    }
  };

  return {
    offer(hit) {
      const worst = heap[0];
      const isFull = heap.length >= limit;
      if (isFull && (worst === undefined || compareHits(hit, worst) >= 0)) return;
      if (!accepts(hit.passage)) return;
      if (isFull) {
        heap[0] = hit;
        sink();
      } else {
        heap.push(hit);
        rise();
      }
    },
    get floor() {
      const worst = heap[0];
      if (heap.length < limit || worst === undefined) return limit > 0 ? 0 : Infinity;
      return worst.exact === undefined ? worst.bm25 : Infinity;
    },
    hits: () => heap.toSorted(compareHits),
  };
}

const ranks = { file: 2, id: 1 };

/** Below 0 where `a` stands before `z`: what the query names, then what scores more, then the lower number. */
function compareHits(a: LexicalHit, z: LexicalHit): number {
  const rank = (hit: LexicalHit): number => (hit.exact === undefined ? 0 : ranks[hit.exact]);
  return rank(z) - rank(a) || z.bm25 - a.bm25 || a.passage - z.passage;
}
