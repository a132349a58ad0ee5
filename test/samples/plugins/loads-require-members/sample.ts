import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'require has resolve with paths, and a cache to delete from',
  async check({ runTool, marks }) {
    expect(await runTool('ping')).toBe('true,true,node:fs');
    expect(marks).toEqual(['count', 'count']);
  },
});
