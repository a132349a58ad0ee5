import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what loaded, threw or waits leaves no mark behind',
  speed: 200,
  async check({ root, manager }) {
    expect(manager.plugins().map(({ status }) => status)).toEqual(['loaded', 'error', 'error']);
    expect(await readdir(join(root, 'state/loading'))).toEqual([]);
  },
});
