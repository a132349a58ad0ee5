import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a hashbang and a byte order mark do not keep a module from loading',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('marked');
  },
});
