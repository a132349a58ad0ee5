import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'each package gets its own version of what it needs',
  prepare: installPackages('p'),
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('v2v2! v1');
  },
});
