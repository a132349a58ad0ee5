import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'deactivate is another name of gateway_stop',
  async check({ runtime, marks, found }) {
    await runtime.stop('shutdown');
    expect(marks).toEqual(['shutdown']);
    expect(found('plugin_hook_unknown')).toEqual([]);
  },
});
