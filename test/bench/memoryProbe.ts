// Run as a program of its own by the memory bench: `memoryProbe.ts <growth|delay|idle> <folder> <state folder> <query>…` indexes the
// folder, searches, and prints one JSON object about this process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openBenchMemory } from './openBenchMemory.ts';

/** Bytes of this process with all its threads; milliseconds. */
export interface GrowthFigures {
  readonly before: number;
  readonly peak: number;
  readonly settled: number;
  readonly passages: number;
}

export interface DelayFigures {
  readonly p99: number;
  readonly max: number;
  readonly took: number;
}

const nsPerMs = 1e6;

async function growthOf(
  folder: string,
  stateFolder: string,
  queries: readonly string[],
): Promise<GrowthFigures> {
  const memory = openBenchMemory(folder, stateFolder);
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = (): number => (peak = Math.max(peak, process.memoryUsage.rss()));
  const timer = setInterval(sample, 5);
  const { passages } = await memory.sync();
  for (const query of queries) await memory.search(query);
  const settled = await settledRss();
  clearInterval(timer);
  await memory.close();
  return { before, peak: sample(), settled, passages };
}

/** When it has not fallen for two seconds. */
async function settledRss(): Promise<number> {
  let least = process.memoryUsage.rss();
  for (let quiet = 0; quiet < 8; quiet += 1) {
    await delay(250);
    const now = process.memoryUsage.rss();
    if (now < least - 1e6) [least, quiet] = [now, 0];
  }
  return process.memoryUsage.rss();
}

async function delayOf(work: () => Promise<unknown>): Promise<DelayFigures> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const start = performance.now();
  histogram.enable();
  await work();
  histogram.disable();
  const took = performance.now() - start;
  return { p99: histogram.percentile(99) / nsPerMs, max: histogram.max / nsPerMs, took };
}

const [mode = '', folder = '', stateFolder = '', ...queries] = process.argv.slice(2);
if (mode === 'growth') console.log(JSON.stringify(await growthOf(folder, stateFolder, queries)));
else if (mode === 'idle') console.log(JSON.stringify(await delayOf(() => delay(2_000))));
else {
  const memory = openBenchMemory(folder, stateFolder);
  console.log(JSON.stringify(await delayOf(() => memory.sync())));
  await memory.close();
}
