import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { projectRoot } from '../scripts/projectRoot.ts';
import { gatewayBundle, memoryWorkerBundle, pluginBundles, pluginIds } from '../scripts/bundleOptions.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with `memoryWorker.js`, `gateway.js` and the bundled plugins in `plugins`, as they ship. */
    readonly builtParts: string;
  }
}

/**
 * Builds once what every runtime of a test starts: from their sources, each thread would strip the types of some 130 files and
 * each runtime transpile every bundled plugin. vitest calls this before the first test.
 */
export default async function buildParts(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-parts-'));
  const bundles = [memoryWorkerBundle, gatewayBundle, ...pluginBundles];
  await Promise.all(bundles.map((options) => build({ ...options, outdir: folder, sourcemap: false })));
  for (const id of pluginIds) {
    const manifest = join('plugins', id, 'openclaw.plugin.json');
    await cp(join(projectRoot, manifest), join(folder, manifest));
  }
  project.provide('builtParts', folder);
  return () => rm(folder, { recursive: true });
}
