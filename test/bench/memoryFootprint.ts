import { join } from 'node:path';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { runProgram } from '../../scripts/runProgram.ts';
import type { Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { writePassages, writeSmallFiles, type MarkdownText } from './memoryCorpus.ts';
import { chooseQueries } from './memoryQueries.ts';
import type { DelayFigures, GrowthFigures } from './memoryProbe.ts';

const rounds = 3;
const passages = 20_000;
const files = 10_000;
const mega = 1e6;

/** What indexing costs the process around it: its main thread's event loop and its memory. Each in a process of its own. */
export async function measureFootprint(
  root: string,
  texts: readonly MarkdownText[],
): Promise<readonly Figure[]> {
  const large = join(root, 'large');
  const many = join(root, 'many');
  const queries = chooseQueries(await writePassages(large, texts, passages), 20);
  await writeSmallFiles(many, texts, files);
  const growth: GrowthFigures[] = [];
  const delays: DelayFigures[] = [];
  const idle: DelayFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    growth.push(await probe<GrowthFigures>('growth', large, join(root, `largeState${round}`), queries));
    delays.push(await probe<DelayFigures>('delay', many, join(root, `manyState${round}`)));
    idle.push(await probe<DelayFigures>('idle', many, root));
  }
  const reloaded = [await probe<GrowthFigures>('growth', large, join(root, 'largeState0'), queries)];
  const of = <T>(all: readonly T[], value: (each: T) => number): readonly number[] => all.map(value);
  const settled = (each: GrowthFigures): number => (each.settled - each.before) / mega;
  const peak = (each: GrowthFigures): number => (each.peak - each.before) / mega;
  const at = `, ${passages} passages`;
  return [
    medianFigure(
      `main thread, delay p99, ${files} files`,
      'ms',
      of(delays, (each) => each.p99),
      { below: 20 },
    ),
    medianFigure(
      `main thread, delay max, ${files} files`,
      'ms',
      of(delays, (each) => each.max),
    ),
    medianFigure(
      'main thread, delay p99, nothing to do',
      'ms',
      of(idle, (each) => each.p99),
    ),
    medianFigure(
      `indexing ${files} files`,
      'ms',
      of(delays, (each) => each.took),
    ),
    medianFigure(`memory after indexing${at}`, 'MB', of(growth, settled), { below: 150 }),
    medianFigure(`memory at the peak${at}`, 'MB', of(growth, peak)),
    medianFigure(`memory after a start${at}`, 'MB', of(reloaded, settled), { below: 150 }),
    medianFigure(`memory at the peak of a start${at}`, 'MB', of(reloaded, peak)),
  ];
}

async function probe<T>(
  mode: string,
  folder: string,
  stateFolder: string,
  queries: readonly string[] = [],
): Promise<T> {
  const program = join(projectRoot, 'test', 'bench', 'memoryProbe.ts');
  const { code, output } = await runProgram(program, [mode, folder, stateFolder, ...queries], {
    captured: true,
  });
  if (code !== 0) throw new Error(`The process that measures ${mode} failed:\n${output}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as T;
}
