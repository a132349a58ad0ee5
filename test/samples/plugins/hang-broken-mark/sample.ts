import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a mark that is no mark, a folder for one, hurts nobody',
  async prepare(root) {
    await mkdir(join(root, 'state/loading'), { recursive: true });
    await writeFile(join(root, 'state/loading/p-p.json'), '{ "id": "p", "hash":');
  },
  check({ marks }) {
    expect(marks).toEqual(['p']);
  },
});
