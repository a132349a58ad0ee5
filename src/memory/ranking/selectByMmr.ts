import { jaccard } from './jaccard.ts';

export interface MmrItem {
  readonly relevance: number;
  /** Asked for only where it stands near enough to the top to matter. */
  readonly tokens: () => ReadonlySet<string>;
}

/** An item in its place; `penalty` is what the likeness to one before it took away, 0 to 1 − λ. */
export interface MmrChoice<T> {
  readonly item: T;
  readonly penalty: number;
}

export interface MmrOptions {
  /** 1 looks at relevance alone and keeps the order; 0 at difference alone. */
  readonly lambda: number;
  /** Choices are the same for every limit, there are only more of them. */
  readonly limit: number;
  /** Likenesses below count as none; default 0, as in the seed. */
  readonly leastSimilarity?: number;
  /** What stands before all of these already. */
  readonly before?: readonly Pick<MmrItem, 'tokens'>[];
}

/**
 * Maximal marginal relevance (Carbonell & Goldstein 1998, OpenClaw core flow): takes again and again the item with the most of
 * `λ × relevance − (1 − λ) × likeness to the most similar one before`. Relevance is stretched to 0–1 over the items, likeness is
 * Jaccard on their words. Equal ones keep the order they came in.
 */
export function selectByMmr<T extends MmrItem>(
  items: readonly T[],
  { lambda, limit, leastSimilarity = 0, before = [] }: MmrOptions,
): readonly MmrChoice<T>[] {
  const chosenTokens = lambda === 1 ? [] : before.map(({ tokens }) => tokens());
  const waiting = waitingOf(items, lambda);
  const choices: MmrChoice<T>[] = [];

  /** Compares with what was chosen since the last time; a value can only sink, so an old one is an upper bound. */
  const bringUpToDate = (entry: Waiting<T>): void => {
    if (lambda === 1) return;
    if (entry.compared === chosenTokens.length) return;
    const tokens = entry.item.tokens();
    for (; entry.compared < chosenTokens.length && entry.likeness < 1; entry.compared += 1) {
      const likeness = jaccard(tokens, chosenTokens[entry.compared] ?? new Set());
      if (likeness >= leastSimilarity) entry.likeness = Math.max(entry.likeness, likeness);
    }
  };

  while (choices.length < limit && waiting.length > 0) {
    let best: Waiting<T> | undefined;
    let bestValue = -Infinity;
    for (const entry of waiting) {
      // They stand by relevance: from here on nothing can be better.
      if (entry.relevance <= bestValue) break;
      if (valueOf(entry, lambda) <= bestValue) continue;
      bringUpToDate(entry);
      const value = valueOf(entry, lambda);
      if (value > bestValue) [best, bestValue] = [entry, value];
    }
    if (best === undefined) break;
    waiting.splice(waiting.indexOf(best), 1);
    choices.push({ item: best.item, penalty: (1 - lambda) * best.likeness });
    if (lambda !== 1) chosenTokens.push(best.item.tokens());
  }
  return choices;
}

interface Waiting<T> {
  readonly item: T;
  /** `λ × relevance`, stretched. */
  readonly relevance: number;
  /** To the most similar one of those it was compared with. */
  likeness: number;
  compared: number;
}

function valueOf({ relevance, likeness }: Waiting<MmrItem>, lambda: number): number {
  return relevance - (1 - lambda) * likeness;
}

/** Most relevant first, equal ones in their order. All alike: all fully relevant. */
function waitingOf<T extends MmrItem>(items: readonly T[], lambda: number): Waiting<T>[] {
  let [least, most] = [Infinity, -Infinity];
  for (const { relevance } of items) [least, most] = [Math.min(least, relevance), Math.max(most, relevance)];
  const stretch = (relevance: number): number => (most === least ? 1 : (relevance - least) / (most - least));
  return items
    .map((item) => ({ item, relevance: lambda * stretch(item.relevance), likeness: 0, compared: 0 }))
    .sort((a, b) => b.relevance - a.relevance);
}
