import { readdirSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { openSampleWorld } from './openSampleWorld.ts';
import type { PluginSample } from './pluginSample.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** One folder, one rule (see `pluginSample.ts`). A new behaviour is a new folder. */
describe('plugin samples', async () => {
  for (const folder of folders) {
    const { default: sample } = (await import(`./${folder}/sample.ts`)) as { default: PluginSample };
    it(`${folder}: ${sample.rule}`, async () => {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-sample-')));
      try {
        const world = await openSampleWorld(sample, join(import.meta.dirname, folder, 'fixture'), root);
        try {
          await sample.check(world);
        } finally {
          await world.close();
        }
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    });
  }
});
