import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session that is open at the end ends with the reason shutdown, once',
  async check({ runtime, say, marks }) {
    await say('one', done);
    await Promise.all([runtime.stop('shutdown'), runtime.stop('shutdown')]);
    expect(marks).toEqual(['shutdown']);
  },
});
