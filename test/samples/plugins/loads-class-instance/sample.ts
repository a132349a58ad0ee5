import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an instance of a class with register is a plugin, and keeps its this',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('own');
  },
});
