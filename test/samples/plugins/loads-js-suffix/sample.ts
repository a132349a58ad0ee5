import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'TypeScript finds ./x.js that is x.ts, and .mjs that is .mts',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('1,2,3');
  },
});
