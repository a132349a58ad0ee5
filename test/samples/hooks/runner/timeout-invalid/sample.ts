import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a time that is no whole number from 1 to 600000 is named and does not count',
  speed: 200,
  async check({ say, found }) {
    await say('hi', done);
    const times = found('hook_timed_out', 'slow').map(({ message }) => message.split(' ').at(-1));
    expect(times).toEqual(Array(4).fill('15000ms'));
    expect(found('plugin_hook_timeout_invalid', 'slow')[0]?.message).toBe(
      'timeoutMs of typed hook "agent_turn_prepare" is no whole number from 1 to 600000; it is ignored',
    );
    expect(found('plugin_hook_timeout_invalid', 'slow')).toHaveLength(4);
  },
});
