import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "the time the user takes does not count against the plugin's",
  async check({ runtime, say, found }) {
    const turn = say('read', readA, done);
    await expect.poll(() => runtime.approvals.pending().length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const id = runtime.approvals.pending()[0]?.id ?? '';
    runtime.approvals.noteShownWhole(id, 'call');
    runtime.approvals.resolve(id, 'allow-once', 'chat');
    expect((await turn).results[0]).toContain('text of a');
    expect(found('hook_timed_out')).toEqual([]);
  },
});
