import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { build } from 'esbuild';

import { testResultsDir } from '../../../scripts/projectRoot.ts';

const suiteDir = join(import.meta.dirname, '..', 'suite');
const outdir = join(testResultsDir, 'host-suite');

/** Bundles the host suite for any VS Code and gives the path of the file whose `run` VS Code is to call. */
export async function buildSuite(): Promise<string> {
  await rm(outdir, { recursive: true, force: true });
  const suites = (await readdir(suiteDir)).filter((file) => file.endsWith('.test.ts'));
  await build({
    entryPoints: [join(import.meta.dirname, 'index.ts'), ...suites.map((file) => join(suiteDir, file))],
    outdir,
    entryNames: '[name]',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return join(outdir, 'index.cjs');
}

if (import.meta.main) console.log(await buildSuite());
