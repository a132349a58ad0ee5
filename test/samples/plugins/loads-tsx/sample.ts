import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry may be .tsx',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('b:bold');
  },
});
