import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { HookSample } from './hookSample.ts';
import { openHookWorld } from './openHookWorld.ts';

/** Runs the samples of one group: a folder of this folder with a folder for each rule (see `hookSample.ts`). */
export async function runSamples(group: string): Promise<void> {
  const folder = join(import.meta.dirname, group);
  const names = readdirSync(folder);
  const samples = await Promise.all(
    names.map(async (name) => {
      const { default: sample } = (await import(`./${group}/${name}/sample.ts`)) as { default: HookSample };
      return { name, sample };
    }),
  );
  describe(`hook samples: ${group}`, () => {
    for (const { name, sample } of samples) {
      it(`${name}: ${sample.rule}`, async () => {
        await using world = await openHookWorld(sample, join(folder, name, 'fixture'));
        await sample.check(world);
      });
    }
  });
}
