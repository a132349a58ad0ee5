import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a blocked message is not stored, and no later handler is asked about it',
  async check({ say, marks, transcript }) {
    await say('hi', done);
    expect(transcript()).toEqual(['user: hi']);
    expect(marks).toEqual(['user']);
  },
});
