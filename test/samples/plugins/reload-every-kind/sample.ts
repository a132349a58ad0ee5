import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a reload runs the new text of every kind of file',
  async check({ manager, marks, plugin, load }) {
    const { rootDir } = plugin('kinds');
    for (const file of ['a.ts', 'b.mjs', 'c.cjs', 'd.json', 'e.js']) {
      const path = join(rootDir, file);
      await writeFile(path, (await readFile(path, 'utf8')).replace('1', '2'));
    }
    await load();
    await load();
    expect(marks).toEqual(['11111', '22222']);
    await manager.reload('kinds');
    expect(marks).toEqual(['11111', '22222', '22222']);
  },
});
