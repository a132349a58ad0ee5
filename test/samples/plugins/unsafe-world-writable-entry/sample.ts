import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry file that anybody may write to is refused, whatever its folder is',
  prepare: (root) => chmod(join(root, 'home/plugins/p/index.ts'), 0o666),
  check({ marks, found }) {
    expect(marks).toEqual([]);
    expect(found('plugin_candidate_blocked')[0]?.message).toMatch(/index\.ts, mode=0666\)$/u);
  },
});
