import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'bundled plugins come first among equals, and priority beats that',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['own high', 'bundled', 'own']);
  },
});
