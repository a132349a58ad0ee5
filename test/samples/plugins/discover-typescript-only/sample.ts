import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package of the home folder that was not compiled loads with one warning',
  check({ marks, found }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_not_compiled', 'p').map(({ message }) => message.split(':')[0])).toEqual([
      'installed plugin package requires compiled runtime output for TypeScript entry ./p.ts',
    ]);
  },
});
