import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin of the home folder runs as it was built, one of the workspace as it is being written',
  async prepare(root) {
    for (const folder of ['home/plugins/home', 'workspace/.pincer/plugins/workspace']) {
      await cp(join(root, folder, 'out'), join(root, folder, 'dist'), { recursive: true });
    }
  },
  check({ marks }) {
    expect(marks.toSorted()).toEqual(['home built', 'workspace source']);
  },
});
