import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an id that looks like a path reaches no folder but its own',
  prepare: (root) => mkdir(join(root, 'sessions'), { recursive: true }),
  async check({ plugin, root }) {
    expect(plugin('../../../p').status).toBe('loaded');
    expect((await readdir(join(root, 'state/plugin-snapshots'))).join()).not.toContain('..');
    expect((await readdir(root)).toSorted()).toEqual([
      'bundled',
      'config',
      'home',
      'sessions',
      'state',
      'workspace',
    ]);
  },
});
