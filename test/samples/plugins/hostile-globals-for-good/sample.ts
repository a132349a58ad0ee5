import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what a plugin has broken for good is an error that says so',
  check({ found }) {
    expect(found('plugin_changed_globals')).toEqual([]);
    expect(found('plugin_broke_globals')).toMatchObject([
      {
        level: 'error',
        pluginId: 'p',
        message:
          'plugin changed Array.prototype.sampleLeftForGood of the whole process; it could not be put back; reload the window',
      },
    ]);
  },
});
