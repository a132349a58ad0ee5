import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an ES module may export what is named like a global',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('own object,own promise,function,more,more');
  },
});
