import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a reload starts a plugin afresh, CommonJS and JSON included',
  async check({ manager, marks }) {
    await manager.reload('counter');
    expect(marks).toEqual(['1 1', '1 1']);
  },
});
