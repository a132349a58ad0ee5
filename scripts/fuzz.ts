import { parseArgs } from 'node:util';

import { PincerError } from '../src/base/errors.ts';
import { fuzzPatch } from '../test/fuzz/patch.ts';
import { fuzzShell } from '../test/fuzz/shell.ts';

interface FuzzOutcome {
  readonly runs: number;
  /** What failed, with its input. */
  readonly failures: readonly string[];
}

type Fuzz = (seed: number, runs: number) => FuzzOutcome | Promise<FuzzOutcome>;

const fuzzes: readonly (readonly [name: string, fuzz: Fuzz])[] = [
  ['patch', fuzzPatch],
  ['shell', fuzzShell],
];

const usualRuns = 20_000;
const maxSeed = 999_999_999;

/**
 * `fuzz [--seed N] [--runs N]`: feeds made-up input to the parsers that read what models write. Prints the seed, which gives the
 * same input again. Gives 1 when any input did what no input may do.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, runs: { type: 'string' } },
  });
  const seed = numberOf('seed', values.seed) ?? Math.floor(Math.random() * maxSeed);
  const runs = numberOf('runs', values.runs) ?? usualRuns;
  console.log(`Seed ${seed}; to run the same again: npm run fuzz -- --seed ${seed} --runs ${runs}`);
  let failures = 0;
  for (const [name, fuzz] of fuzzes) failures += await report(name, () => fuzz(seed, runs));
  return failures === 0 ? 0 : 1;
}

/** @returns how many failures there were */
async function report(name: string, run: () => FuzzOutcome | Promise<FuzzOutcome>): Promise<number> {
  const start = performance.now();
  const outcome = await run();
  const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const found = outcome.failures.length === 0 ? 'nothing found' : 'FAILED';
  console.log(`${name}: ${found} in ${outcome.runs} runs (${took})`);
  for (const failure of outcome.failures) console.error(failure);
  return outcome.failures.length;
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new PincerError('fuzz_argument', `--${name} takes a whole number of at most 9 digits, not ${text}.`);
}
