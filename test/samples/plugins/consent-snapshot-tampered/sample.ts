import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a copy that somebody has changed is made anew from the files that were agreed to',
  async check({ root, manager, marks }) {
    const copies = join(root, 'state/plugin-snapshots');
    const changed: string[] = [];
    for await (const path of glob('**/index.js', { cwd: copies })) {
      await writeFile(join(copies, path), "mark('tampered');\nmodule.exports = () => {};\n");
      changed.push(path);
    }
    expect(changed).toHaveLength(1);
    await manager.reload('p');
    expect(marks).toEqual(['agreed', 'agreed']);
  },
});
