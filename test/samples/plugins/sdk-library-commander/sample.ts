import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'commander is there, by name and required',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('home');
  },
});
