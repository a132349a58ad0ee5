import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'each before_message_write handler gets what the one before it made of the message',
  async check({ say, transcript }) {
    await say('hi', done);
    expect(transcript()).toEqual(['user: hi!?', 'assistant: Done.!?']);
  },
});
