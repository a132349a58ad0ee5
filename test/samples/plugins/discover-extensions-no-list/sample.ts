import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the entries of a package are a list',
  check({ found, marks }) {
    expect(marks).toEqual([]);
    expect(found('plugin_package_invalid').map(({ message }) => message)).toEqual([
      'package.json openclaw.extensions must be an array',
    ]);
  },
});
