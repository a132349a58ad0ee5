import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an object with activate instead of register loads',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('this is kept');
  },
});
