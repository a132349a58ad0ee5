import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an entry of a package is a path',
  check({ found, marks }) {
    expect(marks).toEqual([]);
    expect(found('plugin_package_invalid').map(({ message }) => message)).toEqual([
      'package.json openclaw.extensions[1] must be a non-empty string',
    ]);
  },
});
