import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PincerError } from '../src/base/errors.ts';
import { summaryLine, type LayerResult } from './layerResult.ts';
import { projectRoot, testResultsDir } from './projectRoot.ts';
import { runProgram } from './runProgram.ts';

/** What is left of one run, as test-results/summary.json has it. */
interface Run extends LayerResult {
  readonly seconds: number;
  /** What it ended with: 0 where it was green. */
  readonly code: number;
}

const defaultRuns = 5;
const busyProcesses = 2;

/**
 * `testStress [runs] [layer]`: all tests, or those of one layer, again and again while two other processes keep the processor busy.
 * Gives 1 when one run of them was not green. The runs stand in test-results/stress.json.
 */
export async function main([count = String(defaultRuns), ...layer]: readonly string[]): Promise<number> {
  if (!/^[1-9]\d*$/u.test(count))
    throw new PincerError('bad_argument', `${count} is no number of runs.`, {
      hint: 'npm run test:stress -- 5',
    });
  const runs: Run[] = [];
  const stop = keepBusy();
  try {
    for (let run = 1; run <= Number(count); run += 1) {
      console.log(`\n══ Run ${run} of ${count}, beside ${busyProcesses} busy processes ══`);
      runs.push(await runOnce(layer));
    }
  } finally {
    stop();
  }
  await writeFile(join(testResultsDir, 'stress.json'), `${JSON.stringify(runs, null, 2)}\n`);
  console.log('');
  for (const [at, run] of runs.entries()) console.log(`run ${at + 1}: ${summaryLine(run)}, ${run.seconds} s`);
  return runs.every(({ code }) => code === 0) ? 0 : 1;
}

/** A run that breaks off leaves no sums: those of an earlier one must not stand in for them. */
async function runOnce(layer: readonly string[]): Promise<Run> {
  const file = join(testResultsDir, 'summary.json');
  await rm(file, { force: true });
  const { code } = await runProgram(join(projectRoot, 'scripts', 'run.mjs'), ['test', ...layer]);
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, seconds: 0, code: code === 0 ? 1 : code };
  return { ...(JSON.parse(await readFile(file, 'utf8')) as Omit<Run, 'code'>), code };
}

/** Starts processes that do nothing but work, and gives what ends them. They end with this process, however that ends. */
function keepBusy(): () => void {
  const work =
    'process.stdin.resume().once("close", () => process.exit()); (function go() { const end = Date.now() + 50; while (Date.now() < end); setImmediate(go); })();';
  const children = Array.from({ length: busyProcesses }, () =>
    spawn(process.execPath, ['--eval', work], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  return () => {
    for (const child of children) child.stdin.end();
  };
}
