import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorMessage, PincerError } from '../src/base/errors.ts';
import { editorHostProblem } from './editorHost/provision.ts';
import { layerProblems, summaryLine, sumResults, type LayerResult } from './layerResult.ts';
import { testResultsDir } from './projectRoot.ts';
import { buildExtension } from './runProgram.ts';
import { runHostLayer } from './runHostLayer.ts';
import { runVitestLayer } from './runVitestLayer.ts';
import { main as setUpEditor } from './testSetup.ts';

type LayerName = 'code' | 'unit' | 'package' | 'host' | 'e2e' | 'kill' | 'damage' | 'soak' | 'flows';

interface Layer {
  readonly title: string;
  /** Where it runs by its own name only: a part of `code`, what takes long and finds what short runs can't, or what measures. */
  readonly onDemand?: 'part' | 'torture' | 'measure';
  /** What must be there first: what `npm run build` makes, or that and the editor host. */
  readonly needs?: 'build' | 'editor';
  readonly run: (args: readonly string[]) => Promise<LayerResult>;
}

const layers: Record<LayerName, Layer> = {
  code: {
    title: 'Unit tests, and what ships: the command line and the .vsix',
    needs: 'build',
    // Together: where a unit test waits for a timer or a disk, a process of the other ones has the processor.
    run: (args) => runVitestLayer(['unit', 'package'], args),
  },
  unit: { title: 'Unit tests', onDemand: 'part', run: (args) => runVitestLayer(['unit'], args) },
  package: {
    title: 'What ships: the command line and the .vsix',
    onDemand: 'part',
    needs: 'build',
    run: (args) => runVitestLayer(['package'], args),
  },
  host: { title: 'Suite in the extension host', needs: 'editor', run: () => runHostLayer() },
  e2e: {
    title: 'End-to-end tests in the workbench',
    needs: 'editor',
    run: (args) => runVitestLayer(['e2e'], args),
  },
  kill: {
    title: 'Processes killed at every moment',
    onDemand: 'torture',
    run: (args) => runVitestLayer(['kill'], args),
  },
  damage: {
    title: 'Files damaged in every way',
    onDemand: 'torture',
    run: (args) => runVitestLayer(['damage'], args),
  },
  soak: { title: 'Long runs', onDemand: 'torture', run: (args) => runVitestLayer(['soak'], args) },
  flows: {
    title: 'What a user does in a day, in clicks and seconds',
    onDemand: 'measure',
    needs: 'editor',
    run: (args) => runVitestLayer(['flows'], args),
  },
};

/**
 * `test [layer] [vitest arguments]`: one layer, or one after the other all that are not on demand, a failed one included; `test torture`
 * all that look for what short runs can't find. Leaves sums and seconds in test-results/summary.json and ends with the line `N passed, N failed`. Gives 1 when a test
 * failed, a layer ran none, or, under CI, one was skipped.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [asked, ...rest] = args;
  const isTorture = asked === 'torture';
  const several = (Object.keys(layers) as LayerName[]).filter(
    (name) => layers[name].onDemand === (isTorture ? 'torture' : undefined),
  );
  const names = asked === undefined || isTorture ? several : [layerName(asked)];
  await tellWhatIsMissing(names);
  const results: TimedResult[] = [];
  for (const name of names) {
    const start = performance.now();
    const result = await runLayer(layers[name], rest);
    results.push({ name, result, seconds: secondsSince(start) });
  }
  return await report(results);
}

interface TimedResult {
  readonly name: LayerName;
  readonly result: LayerResult;
  readonly seconds: number;
}

/** At once, not after minutes of other tests: those that need no editor still run. */
async function tellWhatIsMissing(names: readonly LayerName[]): Promise<void> {
  if (!names.some((name) => layers[name].needs === 'editor')) return;
  const problem = await editorHostProblem();
  if (problem === undefined) return;
  const waiting = names.filter((name) => layers[name].needs === 'editor').join(' and ');
  const others = names.some((name) => layers[name].needs !== 'editor') ? '; the others run' : '';
  console.error(`${problem.message}\n${problem.hint ?? ''}\nWill fail: ${waiting}${others}.`);
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}

function layerName(asked: string): LayerName {
  if (Object.hasOwn(layers, asked)) return asked as LayerName;
  throw new PincerError(
    'no_layer',
    `There is no test layer ${asked}; there are ${Object.keys(layers).join(', ')}.`,
  );
}

async function runLayer(layer: Layer, args: readonly string[]): Promise<LayerResult> {
  console.log(`\n── ${layer.title} ──`);
  try {
    if (layer.needs !== undefined) await build();
    if (layer.needs === 'editor') await setUpEditor();
    return await layer.run(args);
  } catch (error) {
    // The problem is shown with the summary; the stack helps only where the error is not one of ours.
    if (!(error instanceof PincerError)) console.error(error);
    const hint = error instanceof PincerError && error.hint !== undefined ? `\n${error.hint}` : '';
    return { passed: 0, failed: 1, skipped: 0, problems: [`${errorMessage(error)}${hint}`] };
  }
}

let built: Promise<void> | undefined;

/** Builds dist/, once a run. */
function build(): Promise<void> {
  built ??= buildExtension().then((code) => {
    if (code !== 0) throw new PincerError('build_failed', 'The build failed: see above.');
  });
  return built;
}

async function report(results: readonly TimedResult[]): Promise<number> {
  const isCi = process.env['CI'] === 'true';
  const problems = results.flatMap(({ name, result }) => layerProblems(name, result, isCi));
  const total = sumResults(results.map(({ result }) => result));
  const seconds = Math.round(results.reduce((sum, each) => sum + each.seconds, 0) * 10) / 10;
  const ofLayers = results.map(({ name, result, seconds }) => [name, { ...result, seconds }] as const);
  await mkdir(testResultsDir, { recursive: true });
  const summary = { ...total, seconds, layers: Object.fromEntries(ofLayers), problems };
  await writeFile(join(testResultsDir, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  console.log('');
  for (const each of results)
    console.log(`${each.name.padEnd(7)} ${summaryLine(each.result)} (${each.seconds} s)`);
  for (const problem of problems) console.error(problem);
  console.log(`${seconds} s in all`);
  console.log(summaryLine(total));
  return problems.length === 0 ? 0 : 1;
}
