import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a symbol is found under a subpath where upstream has moved it to',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('x');
  },
});
