import { expect } from 'vitest';
import { installPackages } from '../installPackages.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a path that a package does not export can not be imported, and the error says so',
  prepare: installPackages('p'),
  check({ plugin, marks }) {
    expect(plugin('p').error).toContain('subpath \'./lib/inner.js\' is not defined by "exports"');
    expect(marks).toEqual([]);
  },
});
