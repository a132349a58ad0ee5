import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what message_sending makes of an answer is shown, returned and stored in its place',
  async check({ say, transcript }) {
    const { shown, outcome } = await say('hi', done);
    expect(shown).toBe('Changed.');
    expect(outcome).toEqual({ status: 'completed', text: 'Changed.' });
    expect(transcript()[1]).toBe('assistant: Changed.');
  },
});
