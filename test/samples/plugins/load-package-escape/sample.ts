import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package can not export what is outside of it',
  prepare: installPackages('p'),
  check({ plugin, marks }) {
    expect(plugin('p').status).toBe('error');
    expect(marks).toEqual([]);
  },
});
