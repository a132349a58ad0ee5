// Runs inside the extension host, in whichever VS Code: loads the bundled suite files beside it into mocha and runs them.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Mocha from 'mocha';

import { resultsVariable, type HostResults, type HostTest } from './hostResults.ts';

/**
 * Called by VS Code. Leaves the results in a file, because not every host hands back more than an exit code.
 * @throws Error when a test failed, which makes VS Code end with a code other than 0.
 */
export async function run(): Promise<void> {
  // The base reporter shows nothing: whoever reads the results shows them.
  const forbidOnly = process.env['CI'] === 'true';
  const mocha = new Mocha({ ui: 'bdd', reporter: Mocha.reporters.Base, timeout: 20_000, forbidOnly });
  const files = readdirSync(__dirname).filter((file) => file.endsWith('.test.cjs'));
  for (const file of files.sort()) mocha.addFile(join(__dirname, file));
  const results = await runToEnd(mocha);
  const target = process.env[resultsVariable];
  if (target !== undefined) writeFileSync(target, JSON.stringify(results, null, 2));
  const failed = results.tests.filter((test) => test.state === 'failed').length;
  if (failed > 0) throw new Error(`${failed} of the host suite's tests failed.`);
}

async function runToEnd(mocha: Mocha): Promise<HostResults> {
  const tests: HostTest[] = [];
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    const add = (test: Mocha.Test, state: HostTest['state'], error?: Error): void => {
      const message = error === undefined ? {} : { message: error.stack ?? error.message };
      tests.push({ title: test.fullTitle(), state, durationMs: test.duration ?? 0, ...message });
    };
    runner.on('pass', (test) => add(test, 'passed'));
    runner.on('pending', (test) => add(test, 'skipped'));
    runner.on('fail', (test, error: Error) => add(test, 'failed', error));
  });
  return { tests };
}
