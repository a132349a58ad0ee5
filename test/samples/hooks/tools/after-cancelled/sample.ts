import { expect } from 'vitest';
import { call, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after_tool_call of a call that was cancelled while it ran says so',
  async check({ sayTo, marks }) {
    const abort = new AbortController();
    const turn = sayTo('go', [call('sleep', {})], { signal: abort.signal });
    await expect.poll(() => marks).toEqual(['sleeping']);
    abort.abort();
    await turn;
    expect(marks).toMatchObject(['sleeping', { toolName: 'sleep', error: 'cancelled' }]);
  },
});
