import { expect } from 'vitest';
import { readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a turn that is cancelled while the user thinks tells the asker so',
  async check({ runtime, sayTo, marks }) {
    const abort = new AbortController();
    const turn = sayTo('read', [readA], { signal: abort.signal });
    await expect.poll(() => runtime.approvals.pending().length).toBe(1);
    abort.abort();
    expect((await turn).outcome).toEqual({ status: 'cancelled' });
    expect(marks).toEqual(['cancelled']);
    expect(runtime.approvals.pending()).toEqual([]);
  },
});
