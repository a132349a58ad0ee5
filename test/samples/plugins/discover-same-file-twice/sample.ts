import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a workspace that links to a plugin of the home folder does not take it over',
  async prepare(root) {
    await mkdir(join(root, 'workspace/.pincer/plugins'), { recursive: true });
    await symlink(join(root, 'home/plugins/mine'), join(root, 'workspace/.pincer/plugins/mine'));
  },
  check({ manager, marks }) {
    expect(marks).toEqual(['mine']);
    expect(manager.plugins().map(({ id, origin }) => [id, origin])).toEqual([['mine', 'global']]);
  },
});
