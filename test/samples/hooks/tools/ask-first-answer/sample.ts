import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'the first answer counts: a second one is refused, and the tool runs once',
  async check({ runtime, say, marks, fileText }) {
    const turn = say('write', writeB, done);
    await expect.poll(() => runtime.approvals.pending().length).toBe(1);
    const id = runtime.approvals.pending()[0]?.id ?? '';
    runtime.approvals.noteShownWhole(id, 'call');
    expect(runtime.approvals.resolve(id, 'allow-once', 'chat').ok).toBe(true);
    expect(runtime.approvals.resolve(id, 'deny', 'notification').ok).toBe(false);
    expect((await turn).results).toHaveLength(1);
    expect(marks).toEqual(['allow-once']);
    expect(await fileText('b.md')).toBe('new');
  },
});
