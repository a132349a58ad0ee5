import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'switching one plugin off leaves the handlers of the others as they are',
  async check({ runtime, say, marks }) {
    await runtime.plugins.setEnabled('one', false);
    await say('hi', done);
    expect(marks).toEqual(['two']);
  },
});
