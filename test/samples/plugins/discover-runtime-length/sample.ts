import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'as many compiled forms as entries, or the package is refused',
  check({ found, manager }) {
    expect(manager.plugins()).toEqual([]);
    expect(found('plugin_package_invalid')[0]?.message).toBe(
      'package.json openclaw.runtimeExtensions length (1) must match openclaw.extensions length (2)',
    );
  },
});
