import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a .js file of a "type": "module" package is an ES module',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('index.js function');
  },
});
