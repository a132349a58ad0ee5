import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { leaveMarks } from '../leaveMarks.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a window killed while a plugin loads does not switch the plugin off, however often that happens',
  async check({ root, load, marks }) {
    for (let times = 0; times < 2; times += 1) {
      await load({ config: { entries: { p: { enabled: false } } } });
      await leaveMarks(root, 1);
      await load({ config: { entries: {} } });
      expect(await readdir(join(root, 'state/loading'))).toEqual([]);
    }
    expect(marks.filter((mark) => mark === 'ran')).toHaveLength(3);
  },
});
