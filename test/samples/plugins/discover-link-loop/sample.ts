import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a folder or file that links to itself is named and hides no other plugin',
  async prepare(root) {
    await symlink('loop', join(root, 'home/plugins/loop'));
    await symlink('index.ts', join(root, 'home/plugins/file/index.ts'));
  },
  check({ marks, found }) {
    expect(marks).toEqual(['other']);
    expect(found('plugin_candidate_blocked').map(({ source }) => source?.split('/').at(-1))).toEqual([
      'file',
      'loop',
    ]);
  },
});
