import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { HostResults, HostTest } from '../test/host/runner/hostResults.ts';
import { chooseHost, runHostSuite } from '../test/host/runner/runHostSuite.ts';
import type { LayerResult } from './layerResult.ts';
import { testResultsDir } from './projectRoot.ts';

/** Runs the host suite where `chooseHost` says, shows each test and gives the numbers. */
export async function runHostLayer(): Promise<LayerResult> {
  const choice = chooseHost(process.env, process.platform);
  console.log(
    choice.kind === 'desktop' ? `Desktop VS Code (${choice.which})` : 'VS Code server (editor host)',
  );
  const results = await runHostSuite(choice);
  await writeFile(join(testResultsDir, 'host.json'), `${JSON.stringify(results, null, 2)}\n`);
  for (const test of results.tests) console.log(testLine(test));
  return hostResult(results);
}

/** The numbers of a host run. */
export function hostResult({ tests }: HostResults): LayerResult {
  const count = (state: HostTest['state']): number => tests.filter((test) => test.state === state).length;
  const failures = tests
    .filter(({ state }) => state === 'failed')
    .map(({ title, message }) => `${title}: ${message?.split('\n')[0] ?? 'failed'}`);
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), failures };
}

function testLine(test: HostTest): string {
  if (test.state === 'skipped') return ` ↓ ${test.title}`;
  if (test.state === 'passed') return ` ✓ ${test.title} ${test.durationMs} ms`;
  return ` × ${test.title}\n${(test.message ?? '').replace(/^/gmu, '     ')}`;
}
