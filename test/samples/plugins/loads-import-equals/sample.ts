import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'import x = require() works in TypeScript',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('equal function');
  },
});
