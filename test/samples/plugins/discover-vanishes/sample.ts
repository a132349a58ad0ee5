import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin whose folder vanishes while it is looked at fails alone',
  disk: (real) => ({
    ...real,
    async lstat(path) {
      if (path.endsWith('p/openclaw.plugin.json')) await rm(dirname(path), { recursive: true, force: true });
      return await real.lstat(path);
    },
  }),
  check({ marks, plugin }) {
    expect(marks).toEqual(['other']);
    expect(plugin('p').status).toBe('error');
  },
});
