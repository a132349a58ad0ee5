import { readdirSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { HookSample } from './hookSample.ts';
import { openHookWorld } from './openHookWorld.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** One folder, one rule (see `hookSample.ts`). A new behaviour is a new folder. */
describe('operator hook samples', async () => {
  for (const folder of folders) {
    const { default: sample } = (await import(`./${folder}/sample.ts`)) as { default: HookSample };
    it(`${folder}: ${sample.rule}`, async () => {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-hooks-')));
      try {
        const world = await openHookWorld(sample, join(import.meta.dirname, folder, 'fixture'), root);
        try {
          await sample.check(world);
        } finally {
          world.close();
        }
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    });
  }
});
