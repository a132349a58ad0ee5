import type { LexicalHit } from './lexicalIndex.ts';

/** Keeps the best of many hits: a heap with the worst on top, so that most of them are refused at one look. */
export interface TopList {
  /** `accepts` is asked only where the hit is good enough. */
  offer(hit: LexicalHit, accepts?: (passage: number) => boolean): void;
  /** Best first. */
  hits(): readonly LexicalHit[];
}

export function createTopList(limit: number): TopList {
  const heap: LexicalHit[] = [];

  const swap = (a: number, z: number): void => {
    const hit = heap[a];
    const other = heap[z];
    if (hit === undefined || other === undefined) return;
    heap[a] = other;
    heap[z] = hit;
  };
  const isWorse = (a: number, z: number): boolean => {
    const hit = heap[a];
    const other = heap[z];
    return hit !== undefined && other !== undefined && compareHits(hit, other) > 0;
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
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
    offer(hit, accepts) {
      const isFull = heap.length >= limit;
      const worst = heap[0];
      if (isFull && (worst === undefined || compareHits(hit, worst) >= 0)) return;
      if (accepts?.(hit.passage) === false) return;
      if (isFull) {
        heap[0] = hit;
        sink();
      } else {
        heap.push(hit);
        rise(heap.length - 1);
      }
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
