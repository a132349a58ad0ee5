import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the first plugin that handles the message ends it; one that does not passes it on',
  mayRead: ['a-not', 'b-first', 'c-late'],
  async check({ say, marks }) {
    const { outcome } = await say('hello', done);
    expect(outcome).toEqual({ status: 'completed', text: 'first' });
    expect(marks).toEqual(['not']);
  },
});
