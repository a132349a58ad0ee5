import type { Fire } from './rivalRunners.ts';

const batches = 40;
const warmUpBatches = 10;
const batchMs = 4;

/**
 * Microseconds a call, each awaited before the next. The contestants take turns batch by batch, so that what else the machine
 * does falls on all of them.
 */
export async function measureTogether<Name extends string>(
  contestants: Readonly<Record<Name, Fire>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const sizes = Object.fromEntries(names.map((name) => [name, 1])) as Record<Name, number>;
  for (const name of names) sizes[name] = await sizeOfBatch(contestants[name]);
  for (let batch = 0; batch < warmUpBatches + batches; batch += 1) {
    for (const name of names) {
      const took = await timeOf(contestants[name], sizes[name]);
      if (batch >= warmUpBatches) samples[name].push((took / sizes[name]) * 1e3);
    }
  }
  return samples;
}

/** Calls that take some milliseconds. */
async function sizeOfBatch(fire: Fire): Promise<number> {
  await timeOf(fire, 50);
  const each = (await timeOf(fire, 50)) / 50;
  return Math.max(20, Math.min(5_000, Math.round(batchMs / Math.max(each, 1e-4))));
}

async function timeOf(fire: Fire, calls: number): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < calls; at += 1) await fire();
  return performance.now() - start;
}
