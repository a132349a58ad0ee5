import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a .js file of a "type": "commonjs" package is CommonJS',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('common false true');
  },
});
