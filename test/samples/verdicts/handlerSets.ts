/**
 * Sets of handlers of both dialects around one tool call, made from a seed: the same ones in every run. Data only, so that whatever
 * calls plugins can be judged by them.
 */
export interface HandlerSet {
  readonly policies: readonly PolicySpec[];
  readonly hooks: readonly HookSpec[];
  readonly points: readonly PointSpec[];
  /** What the user answers where somebody asks; `none` lets the time run out. */
  readonly answer: 'allow-once' | 'deny' | 'none';
  /** The tool itself: what it does when it runs. */
  readonly tool: 'answers' | 'throws';
}

export type PolicyDoes =
  'nothing' | 'blocks' | 'asks' | 'changes' | 'denies' | 'throws' | 'hangs' | 'answers a number';

export interface PolicySpec {
  readonly id: string;
  readonly does: PolicyDoes;
}

export type HookDoes =
  | 'nothing'
  | 'nothing later'
  | 'changes'
  | 'changes later'
  | 'changes to what the tool refuses'
  | 'mutates its event'
  | 'blocks'
  | 'blocks without a reason'
  | 'does not block'
  | 'asks'
  | 'asks critically'
  | 'asks and changes'
  | 'throws'
  | 'rejects'
  | 'hangs'
  | 'answers a number'
  | 'answers a wrong type'
  | 'answers an unknown field';

export interface HookSpec {
  readonly pluginId: string;
  readonly priority: number;
  readonly does: HookDoes;
}

export type PointDoes =
  | 'ok'
  | 'ok later'
  | 'changes'
  | 'changes what is fixed'
  | 'changes to a wrong type'
  | 'mutates its payload'
  | 'is not ok'
  | 'is not ok and cancels'
  | 'cancels'
  | 'cancels with words'
  | 'changes and cancels'
  | 'throws'
  | 'rejects'
  | 'hangs'
  | 'answers nothing'
  | 'answers a text';

export interface PointSpec {
  readonly name: string;
  readonly point: 'beforeToolCall' | 'afterToolResult';
  readonly priority: number;
  readonly blocking: boolean;
  readonly does: PointDoes;
}

const policyDoes: readonly PolicyDoes[] = [
  ...([
    'nothing',
    'nothing',
    'changes',
    'asks',
    'blocks',
    'denies',
    'throws',
    'hangs',
    'answers a number',
  ] as const),
];

const hookDoes: readonly HookDoes[] = [
  ...(['nothing', 'nothing later', 'changes', 'changes', 'changes later', 'mutates its event'] as const),
  ...(['changes to what the tool refuses', 'blocks', 'blocks without a reason', 'does not block'] as const),
  ...(['asks', 'asks', 'asks critically', 'asks and changes', 'throws', 'rejects', 'hangs'] as const),
  ...(['answers a number', 'answers a wrong type', 'answers an unknown field'] as const),
];

const pointDoes: readonly PointDoes[] = [
  ...(['ok', 'ok later', 'changes', 'changes', 'changes what is fixed', 'changes to a wrong type'] as const),
  ...([
    'mutates its payload',
    'is not ok',
    'is not ok and cancels',
    'cancels',
    'cancels with words',
  ] as const),
  ...(['changes and cancels', 'throws', 'rejects', 'hangs', 'answers nothing', 'answers a text'] as const),
];

/** So many sets; the same seed gives the same ones. Most have handlers of both dialects. */
export function makeHandlerSets(count: number, seed: number): readonly HandlerSet[] {
  const next = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const upTo = (most: number): number[] =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, (_, at) => at);
  return Array.from({ length: count }, () => ({
    policies:
      next() < 0.6 ? [] : upTo(2).map((at) => ({ id: `policy-${String(at)}`, does: pick(policyDoes) })),
    hooks: upTo(3).map((at) => ({
      ...{ pluginId: `hook-${String(at)}`, priority: pick([0, 0, 10, -10, 100]), does: pick(hookDoes) },
    })),
    points: upTo(3).map((at) => ({
      name: `point-${String(at)}`,
      point: pick(['beforeToolCall', 'beforeToolCall', 'afterToolResult'] as const),
      ...{ priority: pick([0, 0, 5, 50]), blocking: next() < 0.6, does: pick(pointDoes) },
    })),
    answer: pick(['allow-once', 'allow-once', 'deny', 'none']),
    tool: next() < 0.9 ? 'answers' : 'throws',
  }));
}

/** Numbers of [0, 1), by mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
