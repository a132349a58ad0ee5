import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a folder called hooks that holds something else is left alone without a word',
  async prepare(root) {
    const folder = join(root, 'workspace/hooks/node_modules');
    await mkdir(folder);
    await writeFile(join(folder, 'HOOK.md'), '---\nname: modules\n---\n');
  },
  check({ hooks, marks }) {
    expect(hooks.list()).toEqual([]);
    expect(hooks.diagnostics()).toEqual([]);
    expect(marks).toEqual([]);
  },
});
