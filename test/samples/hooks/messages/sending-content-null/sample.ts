import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'null and undefined leave the text as it is; an empty text counts',
  async check({ say, marks }) {
    const { shown, outcome } = await say('hi', done);
    expect(marks).toEqual(['Done.', 'Done.']);
    expect(shown).toBe('');
    expect(outcome).toEqual({ status: 'completed', text: '' });
  },
});
