import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an install record that is no JSON object, or a link, is none',
  prepare: (root) => symlink('record.json', join(root, 'home/plugins/b/.pincer-install.json')),
  check({ marks }) {
    expect(marks.toSorted()).toEqual(['a bundled', 'b bundled']);
  },
});
