import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Memory } from '../../src/memory/memory.ts';
import type { Figure } from './bench.ts';
import { median, medianFigure } from './medianFigure.ts';
import { writePassages, type BenchPassage, type MarkdownText } from './memoryCorpus.ts';
import { openBenchMemory } from './openBenchMemory.ts';
import { chooseQueries } from './memoryQueries.ts';
import { percentile } from './retrieval/scoreRanking.ts';
import { openFts5, openMinisearch, openRipgrep, type SearchRival } from './memoryRivals.ts';

/** What a search may take at the 95th percentile, in milliseconds. */
export interface SearchSize {
  readonly passages: number;
  readonly p95Below: number;
}

const rounds = 5;
const queriesPerRound = 60;
/** It reads all the files again for each query. */
const ripgrepQueries = 8;

/** Indexing and search at one size, for the memory and the others on the same passages and queries. */
export async function measureSearch(
  root: string,
  texts: readonly MarkdownText[],
  size: SearchSize,
): Promise<readonly Figure[]> {
  const folder = join(root, `search${size.passages}`);
  const passages = await writePassages(folder, texts, size.passages);
  const stateFolder = join(root, `state${size.passages}`);
  await mkdir(stateFolder);
  const memory = openBenchMemory(folder, stateFolder);
  const rivals: SearchRival[] = [];
  try {
    const start = performance.now();
    const beforeIndexing = process.cpuUsage();
    const { passages: indexed } = await memory.sync();
    const each = ((performance.now() - start) * 1e3) / indexed;
    const eachWork = processorTime(beforeIndexing) / indexed;
    const [fts5, fts5Each] = timeEach(passages, openFts5);
    rivals.push(fts5);
    const [minisearch, minisearchEach] = timeEach(passages, openMinisearch);
    rivals.push(minisearch);
    const queries = chooseQueries(passages, queriesPerRound);
    const times = await timeSearches(memory, rivals, queries);
    const beforeSearches = process.cpuUsage();
    for (const query of queries) await memory.search(query);
    const searchWork = processorTime(beforeSearches) / queries.length / 1e3;
    const ripgrep = await timeRipgrep(folder, queries);
    const at = `, ${indexed} passages`;
    const own = median(times.get('memory')?.p95 ?? []);
    return [
      // From the start of the thread to the end of the look: 3,000 a second.
      { name: `index, each passage${at}`, value: each, unit: 'µs', below: 333 },
      { name: `index, processor time of each passage${at}`, value: eachWork, unit: 'µs' },
      { name: `search, processor time of each${at}`, value: searchWork, unit: 'ms' },
      { name: `index by FTS5, each passage${at}`, value: fts5Each, unit: 'µs' },
      { name: `index by minisearch, each passage${at}`, value: minisearchEach, unit: 'µs' },
      { name: `index against FTS5${at}`, value: each / fts5Each, unit: '×' },
      { name: `index against minisearch${at}`, value: each / minisearchEach, unit: '×' },
      ...[...times].flatMap(([name, { p50, p95 }]) => {
        const by = name === 'memory' ? '' : ` by ${name}`;
        return [
          medianFigure(`search${by}, p50${at}`, 'ms', p50),
          medianFigure(`search${by}, p95${at}`, 'ms', p95, by === '' ? { below: size.p95Below } : {}),
          ...(by === ''
            ? []
            : [{ name: `search against ${name}, p95${at}`, value: own / median(p95), unit: '×' as const }]),
        ];
      }),
      ...(ripgrep === undefined ? [] : [medianFigure(`search by ripgrep, p50${at}`, 'ms', ripgrep)]),
    ];
  } finally {
    for (const rival of rivals) rival.close();
    await memory.close();
  }
}

/** Microseconds that all threads worked since: what else the machine does adds little to it. */
function processorTime(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** What opening takes for each passage, in microseconds. */
function timeEach(
  passages: readonly BenchPassage[],
  open: (passages: readonly BenchPassage[]) => SearchRival,
): readonly [SearchRival, number] {
  const start = performance.now();
  const rival = open(passages);
  return [rival, ((performance.now() - start) * 1e3) / passages.length];
}

interface RoundTimes {
  readonly p50: number[];
  readonly p95: number[];
}

/** They take turns query by query, so that what else the machine does falls on all of them. */
async function timeSearches(
  memory: Memory,
  rivals: readonly SearchRival[],
  queries: readonly string[],
): Promise<ReadonlyMap<string, RoundTimes>> {
  const contestants: readonly Pick<SearchRival, 'name' | 'search'>[] = [
    { name: 'memory', search: async (query) => (await memory.search(query)).hits.length },
    ...rivals,
  ];
  const times = new Map<string, RoundTimes>();
  for (const { name } of contestants) times.set(name, { p50: [], p95: [] });
  for (let round = -1; round < rounds; round += 1) {
    const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
    for (const query of queries) {
      for (const { name, search } of contestants) {
        const start = performance.now();
        const found = await search(query);
        samples.get(name)?.push(performance.now() - start);
        if (found === 0) throw new Error(`${name} found nothing for "${query}".`);
      }
    }
    // The first round warms up.
    for (const [name, taken] of round < 0 ? [] : samples) {
      times.get(name)?.p50.push(percentile(taken, 0.5));
      times.get(name)?.p95.push(percentile(taken, 0.95));
    }
  }
  return times;
}

async function timeRipgrep(
  folder: string,
  queries: readonly string[],
): Promise<readonly number[] | undefined> {
  const ripgrep = await openRipgrep(folder);
  if (ripgrep === undefined) return undefined;
  const taken: number[] = [];
  for (const query of queries.slice(0, ripgrepQueries)) {
    const start = performance.now();
    await ripgrep.search(query);
    taken.push(performance.now() - start);
  }
  return taken;
}
