import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { leaveMarks } from '../leaveMarks.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that hung is tried again once it has changed',
  async check({ root, load, marks }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await leaveMarks(root, 2);
    await writeFile(join(root, 'home/plugins/p/index.ts'), "mark('corrected');\nexport default () => {};\n");
    await load({ config: { entries: {} } });
    expect(marks).toEqual(['ran', 'corrected']);
  },
});
