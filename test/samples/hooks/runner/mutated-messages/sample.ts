import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'messages that a handler changes stay as they are for model and transcript',
  async check({ say, transcript }) {
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('hi');
    expect(transcript()).toEqual(['user: hi', 'assistant: Done.']);
  },
});
