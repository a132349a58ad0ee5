import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin under `module` or under several defaults is found',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('found');
  },
});
