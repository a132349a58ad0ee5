import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a default export that a transpiler wrapped twice is found',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('pong');
  },
});
