import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { PincerError } from '../src/base/errors.ts';
import { planQuickTests } from './planQuickTests.ts';
import { projectRoot, testResultsDir } from './projectRoot.ts';
import { readImports } from './readImports.ts';
import { programOf, runProgram } from './runProgram.ts';

/** Where tests and what they test lie. */
const sourceFolders = ['src', 'plugins', 'scripts', 'test'];
/** The one test that needs everything: build, server, browser, activation, participant, a file link. */
const workbenchTest = 'test/e2e/builtInAnswer.test.ts';
/** Of the minute that all of it may take; build and workbench take the rest. Seconds of test time, which several workers share. */
const budget = 40;

/** `testQuick`: the tests nearest to what was changed since the last commit (or in it, where nothing was), then one in the workbench. */
export async function main(): Promise<number> {
  const changed = changedFiles();
  const imports = await readImports(sourceFolders);
  const input = { changed, imports, seconds: await readSeconds(), budget, isWanted: isUnitTest };
  const { files: unit, left } = planQuickTests(input);
  console.log(`${changed.length} changed files, ${unit.length} test files nearest to them.`);
  for (const file of changed.filter((each) => each.endsWith('.test.ts') && !isUnitTest(each)))
    console.log(
      `Not run here: npm run test:${layerOf(file)}${layerOf(file) === 'host' ? '' : ` -- ${file}`}`,
    );
  if (left.length > 0)
    console.log(
      `${left.length} more depend on them and do not fit into a minute: npm run test:unit runs all.`,
    );
  // Not as a layer: the times of the last whole run stay, to plan with.
  const runUnit = (): Promise<{ code: number }> =>
    runProgram(programOf('vitest', 'vitest.mjs'), ['run', '--project', 'unit', ...unit]);
  const codes = [
    unit.length === 0 ? 0 : (await runUnit()).code,
    (await runProgram(join(projectRoot, 'scripts', 'run.mjs'), ['test', 'e2e', workbenchTest])).code,
  ];
  return codes.every((code) => code === 0) ? 0 : 1;
}

/** Tests of the other layers lie in folders of those names. */
function layerOf(file: string): string {
  return /^test\/(e2e|host|package)\//u.exec(file)?.[1] ?? 'unit';
}

function isUnitTest(file: string): boolean {
  return layerOf(file) === 'unit';
}

function changedFiles(): readonly string[] {
  const now = git('status', '--porcelain', '--no-renames', '--untracked-files=all').map((line) =>
    line.slice(3),
  );
  return now.length > 0 ? now : git('diff', '--name-only', 'HEAD~1');
}

/** @throws PincerError `no_git` */
function git(...args: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  if (status !== 0)
    throw new PincerError('no_git', `git ${args[0] ?? ''} failed: ${stderr.trim()}`, {
      hint: 'Quick tests follow what git says was changed: run npm run test:unit instead.',
    });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Of the last whole runs, the newest last: of all tests, of the unit tests. Nothing where there was none. */
async function readSeconds(): Promise<ReadonlyMap<string, number>> {
  const files = ['vitest-unit-package.json', 'vitest-unit.json'].map((name) => join(testResultsDir, name));
  const there = await Promise.all(
    files.filter((file) => existsSync(file)).map(async (file) => ({ file, at: (await stat(file)).mtimeMs })),
  );
  const seconds = new Map<string, number>();
  for (const { file } of there.sort((a, b) => a.at - b.at)) {
    const report = JSON.parse(await readFile(file, 'utf8')) as {
      readonly testResults: readonly {
        readonly name: string;
        readonly startTime: number;
        readonly endTime: number;
      }[];
    };
    for (const { name, startTime, endTime } of report.testResults)
      seconds.set(relative(projectRoot, name), (endTime - startTime) / 1000);
  }
  return seconds;
}
