import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import type { LayerResult } from './layerResult.ts';
import { projectRoot, testResultsDir } from './projectRoot.ts';
import { programOf, runProgram } from './runProgram.ts';

/** The part of vitest's JSON report that counts. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults?: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** Those of `test/builders/testServers.ts`. Only a run that says so may skip them under CI: one of another system. */
const needsServer = /\(needs (?:PostgreSQL|Redis|Docker): set \w+\)$/u;

function mayBeSkipped(name: string): boolean {
  return process.env['PINCER_TEST_SERVERS'] === 'none' && needsServer.test(name);
}

/** The projects of vitest.config.mts. */
type VitestProject = 'unit' | 'package' | 'e2e' | 'kill' | 'damage' | 'soak' | 'flows';

/**
 * Runs vitest projects at the same time and gives their numbers. The full report stays in test-results/vitest-<projects>.json; that of a
 * part, which `args` choose, in vitest-<projects>-part.json: quick tests plan with the times of the last whole run.
 */
export async function runVitestLayer(
  projects: readonly VitestProject[],
  args: readonly string[],
): Promise<LayerResult> {
  const needsEditor = projects.some((project) => project === 'e2e' || project === 'flows');
  if (needsEditor && process.platform !== 'linux') {
    const unavailable = `the editor host needs Linux, so the end-to-end tests do not run on ${process.platform}.`;
    console.log(unavailable);
    return { passed: 0, failed: 0, skipped: 0, unavailable };
  }
  const file = join(testResultsDir, `vitest-${projects.join('-')}${args.length > 0 ? '-part' : ''}.json`);
  await rm(file, { force: true });
  if (projects.includes('e2e') && args.length === 0)
    await rm(join(testResultsDir, 'failures'), { recursive: true, force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = ['run', ...projects.flatMap((project) => ['--project', project])];
  // A twentieth of the layer's time; whoever looks at one test wants them.
  const takesNone = projects.includes('e2e') && args.length === 0;
  const env = takesNone ? { PINCER_SCREENSHOTS: process.env['PINCER_SCREENSHOTS'] ?? 'none' } : {};
  const { code } = await runProgram(programOf('vitest', 'vitest.mjs'), [...chosen, ...reporters, ...args], {
    env,
  });
  const report = await readReport(file);
  for (const name of skippedTests(report)) {
    if (needsServer.test(name)) console.log(`Not run here: ${name}`);
  }
  return vitestResult(report, code);
}

type TestReport = NonNullable<VitestReport['testResults']>[number]['assertionResults'][number];

function testsOf(report: VitestReport | undefined): readonly TestReport[] {
  return (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
}

/** The end of a long log is what people see: it names what failed. */
function failuresOf(report: VitestReport | undefined): readonly string[] {
  return testsOf(report)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${whyOf(failureMessages?.[0] ?? 'failed')}`);
}

/**
 * The first line of a message, what was waited for and what was there instead, and the line of the test where that was; where the test
 * itself is not among them, the first line of this project.
 */
function whyOf(message: string): string {
  const [first = '', ...rest] = stripVTControlCharacters(message).split('\n');
  const waited = rest.find((line) => line.includes('- waiting for '))?.trim() ?? '';
  const instead = rest.find((line) => line.startsWith('Instead: ')) ?? '';
  const places = rest.flatMap((line) => placeIn(line) ?? []);
  const at = places.find((place) => place.includes('.test.ts:')) ?? places[0];
  return [first, waited, instead, at === undefined ? '' : `(${at})`].filter((part) => part !== '').join(' ');
}

/** `<file>:<line>` of a line of a stack that lies in this project, and not in a package. */
function placeIn(line: string): string | undefined {
  if (!/^ +at /u.test(line) || !line.includes(projectRoot) || line.includes('node_modules')) return undefined;
  return line.slice(line.indexOf(projectRoot) + projectRoot.length + 1).replace(/:\d+\)?$/u, '');
}

function skippedTests(report: VitestReport | undefined): readonly string[] {
  return testsOf(report)
    .filter(({ status }) => ['pending', 'skipped'].includes(status))
    .map(({ fullName }) => fullName);
}

/** A run that ended with an error and no failed test (a file that does not load, an unhandled rejection) counts as one. */
export function vitestResult(report: VitestReport | undefined, code: number): LayerResult {
  const excused = skippedTests(report).filter(mayBeSkipped).length;
  const counts = {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0) - excused,
  };
  if (counts.failed > 0) return { ...counts, failures: failuresOf(report) };
  if (code === 0) return counts;
  return { ...counts, failed: 1, problems: [`vitest ended with code ${code}: see its output above.`] };
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as VitestReport);
}
