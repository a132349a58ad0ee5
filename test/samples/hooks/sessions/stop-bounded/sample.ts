import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session_end that never ends does not hold the stop up until its own time is over',
  speed: 50,
  async check({ runtime, say, marks }) {
    await say('hi', done);
    await runtime.stop('shutdown');
    expect(marks).toEqual(['session_end']);
  },
});
