import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin of your own that anybody may write to is refused; for one of the workspace the consent stands guard',
  async prepare(root) {
    await chmod(join(root, 'home/plugins/p'), 0o777);
    await chmod(join(root, 'workspace/.pincer/plugins/workspace-one'), 0o777);
  },
  check({ marks, found }) {
    expect(marks).toEqual(['workspace-one']);
    expect(found('plugin_candidate_blocked')[0]?.message).toMatch(
      /^blocked plugin candidate: world-writable path \(.*p, mode=0777\)$/u,
    );
  },
});
