import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'two entries of a package with one name would have one id, so the package is refused',
  check({ found, marks }) {
    expect(marks).toEqual([]);
    expect(found('plugin_package_invalid')[0]?.message).toBe(
      'package.json openclaw.extensions has two entries named "one"',
    );
  },
});
