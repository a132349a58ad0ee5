import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a message that a plugin returned and changes later stays as it was returned',
  async check({ say, transcript }) {
    await say('hi', done);
    expect(transcript()).toEqual(['user: one', 'assistant: one']);
  },
});
