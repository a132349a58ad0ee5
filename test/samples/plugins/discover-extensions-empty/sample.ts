import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package that names no entry is refused',
  check({ found, marks }) {
    expect(marks).toEqual([]);
    expect(found('plugin_package_invalid').map(({ message }) => message)).toEqual([
      'package.json openclaw.extensions is empty',
    ]);
  },
});
