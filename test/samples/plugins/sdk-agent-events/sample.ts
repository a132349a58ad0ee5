import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what a plugin emits as agent event reaches its own listeners, until they stop',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('a');
  },
});
