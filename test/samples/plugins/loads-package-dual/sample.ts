import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package in both forms is loaded once, so that all of the plugin share it',
  prepare: installPackages('p'),
  async check({ runTool, marks }) {
    expect(await runTool('ping')).toBe('true');
    expect(marks).toEqual(['dual']);
  },
});
