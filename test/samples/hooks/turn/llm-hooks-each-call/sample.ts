import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'llm_input and llm_output fire for each model call',
  mayRead: ['reader'],
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual(['in 1', 'out ', 'in 3', 'out Done.']);
  },
});
