import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin whose session_end never ends keeps nobody from hearing gateway_stop',
  speed: 50,
  async check({ runtime, say, marks }) {
    await say('hi', done);
    await runtime.stop('shutdown');
    expect(marks.toSorted()).toEqual(['gateway_stop', 'session_end']);
  },
});
