import { expect } from 'vitest';
import { leaveMarks } from '../leaveMarks.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that other windows are loading right now has not hung',
  async check({ root, load, marks }) {
    await load({ config: { entries: { p: { enabled: false } } } });
    await leaveMarks(root, 2, false);
    await load({ config: { entries: {} } });
    expect(marks).toEqual(['ran', 'ran']);
  },
});
