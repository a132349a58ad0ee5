import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package names at most 100 entries',
  check({ found, marks }) {
    expect(marks).toEqual([]);
    expect(found('plugin_package_invalid').map(({ message }) => message)).toEqual([
      'package.json openclaw.extensions has more than 100 entries',
    ]);
  },
});
