import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'gateway_stop fires when the runtime stops, after the sessions have ended',
  async check({ runtime, say, marks }) {
    await say('hi', done);
    await runtime.stop('shutdown');
    expect(marks).toEqual(['session_end', 'gateway_stop shutdown']);
  },
});
