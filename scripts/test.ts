import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorMessage, PincerError } from '../src/base/errors.ts';
import { provisionBrowser, provisionEditorHost } from './editorHost/provision.ts';
import { layerProblems, summaryLine, sumResults, type LayerResult } from './layerResult.ts';
import { testResultsDir } from './projectRoot.ts';
import { buildExtension } from './runProgram.ts';
import { runHostLayer } from './runHostLayer.ts';
import { runVitestLayer } from './runVitestLayer.ts';

type LayerName = 'unit' | 'host' | 'e2e';

interface Layer {
  readonly title: string;
  /** It tests what `npm run build` makes, in an editor. */
  readonly needsEditor: boolean;
  readonly run: (args: readonly string[]) => Promise<LayerResult>;
}

const layers: Record<LayerName, Layer> = {
  unit: { title: 'Unit tests', needsEditor: false, run: (args) => runVitestLayer('unit', args) },
  host: { title: 'Suite in the extension host', needsEditor: true, run: () => runHostLayer() },
  e2e: {
    title: 'End-to-end tests in the workbench',
    needsEditor: true,
    run: (args) => runVitestLayer('e2e', args),
  },
};

/**
 * `test [unit|host|e2e] [vitest arguments]`: one layer, or all of them one after the other, a failed one included. Leaves
 * the sums in test-results/summary.json and ends with the line `N passed, N failed`. Gives 1 when a test failed, a layer
 * ran none, or, under CI, one was skipped.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [asked, ...rest] = args;
  const names = asked === undefined ? (Object.keys(layers) as LayerName[]) : [layerName(asked)];
  const results: [LayerName, LayerResult][] = [];
  for (const name of names) results.push([name, await runLayer(layers[name], rest)]);
  return await report(results);
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
    if (layer.needsEditor) await prepareEditor();
    return await layer.run(args);
  } catch (error) {
    // The problem is shown with the summary; the stack helps only where the error is not one of ours.
    if (!(error instanceof PincerError)) console.error(error);
    const hint = error instanceof PincerError && error.hint !== undefined ? `\n${error.hint}` : '';
    return { passed: 0, failed: 1, skipped: 0, problems: [`${errorMessage(error)}${hint}`] };
  }
}

let prepared: Promise<void> | undefined;

/** Builds the extension and sets the editor host up, once a run. */
function prepareEditor(): Promise<void> {
  prepared ??= (async () => {
    if ((await buildExtension()) !== 0) throw new PincerError('build_failed', 'The build failed: see above.');
    if (process.platform !== 'linux') return;
    await provisionEditorHost(console.log);
    await provisionBrowser(console.log);
  })();
  return prepared;
}

async function report(results: readonly [LayerName, LayerResult][]): Promise<number> {
  const isCi = process.env['CI'] === 'true';
  const problems = results.flatMap(([name, result]) => layerProblems(name, result, isCi));
  const total = sumResults(results.map(([, result]) => result));
  await mkdir(testResultsDir, { recursive: true });
  const summary = { ...total, layers: Object.fromEntries(results), problems };
  await writeFile(join(testResultsDir, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  console.log('');
  for (const [name, result] of results) console.log(`${name.padEnd(5)} ${summaryLine(result)}`);
  for (const problem of problems) console.error(problem);
  console.log(summaryLine(total));
  return problems.length === 0 ? 0 : 1;
}
