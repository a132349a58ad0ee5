import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after a reload each handler counts once',
  async check({ runtime, say, marks }) {
    await runtime.workspace.reload();
    await runtime.workspace.reload();
    await say('hi', done);
    expect(marks).toEqual(['hi']);
  },
});
