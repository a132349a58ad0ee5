import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'at a restart the reason is restart, for sessions and for the runtime',
  async check({ runtime, say, marks }) {
    await say('one', done);
    await runtime.stop('restart');
    expect(marks).toEqual(['session_end restart', 'gateway_stop restart']);
  },
});
