import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry may be .mts',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('mts');
  },
});
