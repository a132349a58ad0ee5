import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'ES modules that import each other see each other’s exports',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('true');
  },
});
