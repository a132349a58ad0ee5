import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that is switched off is not heard in the next turn, and is again once it is back',
  async check({ runtime, say, marks }) {
    await say('one', done);
    await runtime.plugins.setEnabled('reader', false);
    await say('two', done);
    await runtime.plugins.setEnabled('reader', true);
    await say('three', done);
    expect(marks).toEqual(['one', 'three']);
  },
});
