import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a requirement that can not be read is named and ignored',
  check({ marks, found }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_package_odd', 'p').map(({ message }) => message)).toEqual([
      'package.json openclaw.install.minHostVersion is no floor such as ">=2026.5.1"; it is ignored',
      'package.json openclaw.compat.pluginApi is no version range; it is ignored',
    ]);
  },
});
