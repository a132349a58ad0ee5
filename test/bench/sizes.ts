import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { packExtension } from '../../scripts/package.ts';
import { projectRoot } from '../../scripts/projectRoot.ts';
import type { Bench } from './bench.ts';

/** What a window reads when it starts, what it reads at the first need, and what a user downloads. */
export const bench: Bench = {
  name: 'sizes',
  needsEditor: false,
  async run() {
    const { file } = await packExtension();
    const bytes = async (path: string): Promise<number> => (await stat(path)).size;
    const dist = (name: string): string => join(projectRoot, 'dist', name);
    return [
      {
        name: 'dist/extension.js, shared.js',
        value: ((await bytes(dist('extension.js'))) + (await bytes(dist('shared.js')))) / 1000,
        unit: 'kB',
        below: 500,
      },
      { name: 'dist/runtime.js', value: (await bytes(dist('runtime.js'))) / 1000, unit: 'kB' },
      { name: 'dist/models.js', value: (await bytes(dist('models.js'))) / 1000, unit: 'kB' },
      { name: 'dist/memoryWorker.js', value: (await bytes(dist('memoryWorker.js'))) / 1000, unit: 'kB' },
      { name: '.vsix', value: (await bytes(file)) / 1_000_000, unit: 'MB', below: 5 },
    ];
  },
};
