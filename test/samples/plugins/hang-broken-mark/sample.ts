import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a mark that is no mark, a folder or a huge file for one, hurts nobody',
  async prepare(root) {
    await mkdir(join(root, 'state/loading/p-p.folder.json'), { recursive: true });
    await writeFile(join(root, 'state/loading/p-p.a.json'), '{ "id": "p", "hash":');
    await writeFile(join(root, 'state/loading/p-p.b.json'), ' '.repeat(20_000));
  },
  check({ marks }) {
    expect(marks).toEqual(['p']);
  },
});
