import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a registration without a function is named, and the others count',
  async check({ say, marks, found }) {
    await say('hi', done);
    expect(marks).toEqual(['heard']);
    expect(found('plugin_hook_no_handler', 'odd')).toHaveLength(1);
    expect(found('plugin_hook_unnamed', 'odd')).toHaveLength(1);
  },
});
