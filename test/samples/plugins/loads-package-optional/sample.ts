import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package that looks for something optional sees that it is not there',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('MODULE_NOT_FOUND');
  },
});
