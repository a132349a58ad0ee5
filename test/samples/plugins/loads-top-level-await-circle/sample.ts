import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'modules that await and import each other load all the same',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('round');
  },
});
