import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'CommonJS modules that require each other see what is there so far',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('early');
  },
});
