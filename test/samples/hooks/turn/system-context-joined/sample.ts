import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'system contexts stand before and after the system prompt, joined by empty lines in handler order',
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(asked[0]?.systemPrompt).toBe('b1\n\nb2\n\nbl\n\nsystem\n\na1\n\na2\n\nal');
  },
});
