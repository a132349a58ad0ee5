import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { openBenchPipeline, type HookCounts } from './openBenchPipeline.ts';

const calls = 2_000;
const warmUpCalls = 500;

/** What the pipeline adds to a tool call: checking parameters, policies, hooks, host rules, trace, and capping the result. */
export const bench: Bench = {
  name: 'pipeline',
  needsEditor: false,
  async run() {
    return [
      ...(await figuresOf('no hooks', { before: 0, others: 0 })),
      ...(await figuresOf('20 hooks', { before: 20, others: 0 }, 1)),
      ...(await figuresOf('20 plugins, each with three hooks', { before: 20, others: 20 })),
    ];
  },
};

async function figuresOf(title: string, counts: HookCounts, below?: number): Promise<readonly Figure[]> {
  const { call, dispose } = openBenchPipeline(counts);
  try {
    const samples: number[] = [];
    for (let at = 0; at < warmUpCalls + calls; at += 1) {
      const start = performance.now();
      await call(at);
      if (at >= warmUpCalls) samples.push(performance.now() - start);
    }
    const target = below === undefined ? {} : { below };
    return [
      medianFigure(`call, ${title}: median`, 'ms', samples),
      { name: `call, ${title}: p95`, value: percentile(samples, 0.95), unit: 'ms', ...target, samples },
    ];
  } finally {
    dispose();
  }
}

/** The smallest sample that so large a share of them does not exceed. */
function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
