import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a .js file without a package type is an ES module where it is written as one',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('detected');
  },
});
