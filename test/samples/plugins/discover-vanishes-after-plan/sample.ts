import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

let reads = 0;

export default sample({
  rule: 'a plugin whose folder vanishes after its files were read still runs as it was read',
  disk: (real) => ({
    ...real,
    async readFile(path, maxBytes) {
      const content = await real.readFile(path, maxBytes);
      if (path.endsWith('plugins/p/openclaw.plugin.json') && ++reads === 2)
        await rm(dirname(path), { recursive: true });
      return content;
    },
  }),
  check({ marks, plugin }) {
    expect(marks).toEqual(['p']);
    expect(plugin('p').status).toBe('loaded');
  },
});
