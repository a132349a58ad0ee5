import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry may be .cts, with import = require() and export =',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('c/ts');
  },
});
