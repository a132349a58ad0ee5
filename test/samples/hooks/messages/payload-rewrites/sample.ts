import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'each reply_payload_sending handler gets the payload of the one before it, and message_sending the last text',
  async check({ say, transcript }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('one two three');
    expect(transcript()[1]).toBe('assistant: one two three');
  },
});
