import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

import { errorMessage, PincerError } from '../src/base/errors.ts';
import { bench as activation } from '../test/bench/activation.ts';
import { isMissed, type Bench, type BenchResult } from '../test/bench/bench.ts';
import { bench as coldStart } from '../test/bench/coldStart.ts';
import { bench as dexto } from '../test/bench/dexto.ts';
import { bench as edits } from '../test/bench/edits.ts';
import { bench as firstContact } from '../test/bench/firstContact.ts';
import { bench as firstToken } from '../test/bench/firstToken.ts';
import { formatTable } from '../test/bench/formatTable.ts';
import { bench as grep } from '../test/bench/grep.ts';
import { bench as handler } from '../test/bench/handler.ts';
import { bench as hostileText } from '../test/bench/hostileText.ts';
import { bench as hooks } from '../test/bench/hooks.ts';
import { bench as mcp } from '../test/bench/mcp.ts';
import { bench as memory } from '../test/bench/memory.ts';
import { bench as openings } from '../test/bench/openings.ts';
import { bench as pipeline } from '../test/bench/pipeline.ts';
import { bench as plugins } from '../test/bench/plugins.ts';
import { bench as prompt } from '../test/bench/prompt.ts';
import { bench as sessions } from '../test/bench/sessions.ts';
import { bench as sizes } from '../test/bench/sizes.ts';
import { bench as stream } from '../test/bench/stream.ts';
import { bench as soak } from '../test/bench/soak.ts';
import { bench as typing } from '../test/bench/typing.ts';
import { testResultsDir } from './projectRoot.ts';
import { buildExtension } from './runProgram.ts';

const benches: readonly Bench[] = [
  sizes,
  openings,
  hooks,
  pipeline,
  dexto,
  coldStart,
  edits,
  plugins,
  prompt,
  firstToken,
  stream,
  activation,
  firstContact,
  handler,
  typing,
  grep,
  mcp,
  memory,
  sessions,
  hostileText,
  soak,
];

const processors = availableParallelism();

/**
 * `bench [name]`: builds, then runs one bench or all of them one after the other, a failed one included. Ends with a table and
 * leaves it, with every single measurement, in test-results/bench.json. Gives 1 when a target was missed or a bench failed.
 */
export async function main(args: readonly string[]): Promise<number> {
  const chosen = args.length === 0 ? benches : args.map(findBench);
  const load = loadavg()[0] ?? 0;
  if ((await buildExtension()) !== 0) return 1;
  const results: BenchResult[] = [];
  for (const bench of chosen) results.push(await runBench(bench));
  await writeReport(results, load);
  console.log(`\n${formatTable(results)}`);
  if (load > processors) console.log(`\n${busyNote(load)}`);
  for (const { bench, problem } of results)
    if (problem !== undefined) console.error(`\n${bench}: ${problem}`);
  const isGood = results.every(({ figures, problem }) => problem === undefined && !figures.some(isMissed));
  return isGood ? 0 : 1;
}

function findBench(name: string): Bench {
  const found = benches.find((bench) => bench.name === name);
  if (found !== undefined) return found;
  throw new PincerError(
    'no_bench',
    `There is no bench ${name}; there are ${benches.map((bench) => bench.name).join(', ')}.`,
  );
}

async function runBench(bench: Bench): Promise<BenchResult> {
  if (bench.needsEditor && process.platform !== 'linux') {
    console.log(`${bench.name}: left out, the editor host needs Linux.`);
    return { bench: bench.name, figures: [] };
  }
  const start = performance.now();
  try {
    const figures = await bench.run();
    console.log(`${bench.name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return { bench: bench.name, figures };
  } catch (error) {
    if (!(error instanceof PincerError)) console.error(error);
    const hint = error instanceof PincerError && error.hint !== undefined ? `\n${error.hint}` : '';
    return { bench: bench.name, figures: [], problem: `${errorMessage(error)}${hint}` };
  }
}

function busyNote(load: number): string {
  return `This machine was busy before the bench began (load ${load.toFixed(1)} on ${processors} processors): times may be too high.`;
}

async function writeReport(results: readonly BenchResult[], load: number): Promise<void> {
  const report = {
    date: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    processors,
    load,
    results: results.map(({ figures, ...rest }) => ({
      ...rest,
      figures: figures.map((figure) => ({ ...figure, missed: isMissed(figure) })),
    })),
  };
  await mkdir(testResultsDir, { recursive: true });
  await writeFile(join(testResultsDir, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
}
