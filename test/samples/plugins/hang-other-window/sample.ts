import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that another window is loading right now has not hung',
  async check({ root, load, marks }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await cp(join(root, 'state/kept'), join(root, 'state/loading'), { recursive: true });
    await load({ config: { entries: {} } });
    expect(marks).toEqual(['ran', 'ran']);
  },
});
