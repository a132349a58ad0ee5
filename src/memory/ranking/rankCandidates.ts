import { bm25ToScore } from './bm25ToScore.ts';
import { gateVectors, guardedHitsOf } from './gateVectors.ts';
import { cosineToScore, legWeights, mergeHybrid, type LegWeights } from './mergeHybrid.ts';
import type { Candidate, Ranked, RankInput } from './ranking.ts';
import { selectByMmr } from './selectByMmr.ts';
import { ageInDaysOf, temporalDecay } from './temporalDecay.ts';
import { tokenSet } from './tokenSet.ts';

/**
 * Passages that share three of five words are near copies; fewer is what two good answers share. Setting back every likeness
 * costs nDCG@10 (Cranfield 0.414 → 0.406, CISI 0.421 → 0.416); setting back near copies alone costs none (0.415, 0.421).
 */
const nearCopy = 0.6;

/**
 * Puts the candidates in order: those that the query names first, then weights → decay → sort → vectors gated → near copies down
 * (OpenClaw core flow). Equal ones by passage. The answer for a limit is the head of the answer for a larger one.
 *
 * `minScore` holds for hybrid scores, spares what the query names and what the gate keeps, and is let go where nothing would be
 * left.
 */
export function rankCandidates(input: RankInput): readonly Ranked[] {
  const { candidates, query, hasVectors, limit } = input;
  const weights = legWeights(query, hasVectors);
  const scored = candidates.map((candidate) => scoreOf(candidate, weights, input)).sort(byScore);
  const named = scored.filter(({ candidate }) => candidate.exact !== undefined);
  const others = scored.filter(({ candidate }) => candidate.exact === undefined);
  const worth = hasVectors ? gateVectors(aboveMinScore(others, input.minScore, named.length > 0)) : others;

  const lambda = query.mmr.enabled ? query.mmr.lambda : 1;
  const first = selectByMmr(named, { lambda, limit, leastSimilarity: nearCopy });
  const then = selectByMmr(raised(worth), {
    lambda,
    limit: limit - first.length,
    leastSimilarity: nearCopy,
    before: first.map(({ item }) => item),
  });
  return [...first, ...then].map(({ item, penalty }) => toRanked(item, penalty, weights));
}

interface Scored {
  readonly candidate: Candidate;
  readonly passage: number;
  readonly tokens: () => ReadonlySet<string>;
  readonly textStrength: number;
  readonly decay: number;
  readonly ageInDays: number | undefined;
  readonly score: number;
  /** What the order goes by. */
  readonly relevance: number;
}

function scoreOf(candidate: Candidate, weights: LegWeights, { query, now }: RankInput): Scored {
  const { passage, bm25 = 0 } = candidate;
  const ageInDays = candidate.date === undefined ? undefined : ageInDaysOf(candidate.date, now);
  const decay = temporalDecay(ageInDays, query.temporalDecay);
  const score = mergeHybrid(candidate, weights, decay);
  const textStrength = bm25 > 0 ? decay * bm25 : 0;
  let known: ReadonlySet<string> | undefined;
  const tokens = (): ReadonlySet<string> => (known ??= tokenSet(candidate.text));
  return { candidate, passage, tokens, textStrength, decay, ageInDays, score, relevance: score };
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.passage - b.passage;
}

function aboveMinScore(items: readonly Scored[], minScore: number, hasOthers: boolean): readonly Scored[] {
  const kept = new Set(guardedHitsOf(items));
  const strict = items.filter((item) => item.score >= minScore || kept.has(item));
  return strict.length === 0 && !hasOthers ? items : strict;
}

/** One that the gate set before better ones counts as relevant as the best of those. */
function raised(order: readonly Scored[]): readonly Scored[] {
  let best = 0;
  return order
    .toReversed()
    .map((item) => ({ ...item, relevance: (best = Math.max(best, item.score)) }))
    .reverse();
}

function toRanked(item: Scored, penalty: number, weights: LegWeights): Ranked {
  const { candidate, score, decay, ageInDays } = item;
  const { passage, bm25, cosine, exact } = candidate;
  const hasVector = cosine !== undefined && weights.vector > 0;
  return {
    passage,
    score,
    why: {
      ...(bm25 === undefined ? {} : { text: { score: bm25ToScore(bm25), bm25 } }),
      ...(hasVector ? { vector: { score: cosineToScore(cosine), cosine } } : {}),
      weighted: mergeHybrid(candidate, weights),
      decay,
      ...(ageInDays === undefined ? {} : { ageInDays }),
      similarity: penalty,
      ...(exact === undefined ? {} : { exact }),
    },
  };
}
