import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: "before_agent_reply answers in the model's place; the answer is stored as the model's would be",
  mayRead: ['parrot'],
  async check({ say, transcript }) {
    const { outcome, asked } = await say('hello', done);
    expect(outcome).toEqual({ status: 'completed', text: 'I heard: hello' });
    expect(asked).toEqual([]);
    expect(transcript()).toEqual(['user: hello', 'assistant: I heard: hello']);
  },
});
