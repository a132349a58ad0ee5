import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: "the model reads the user's words as before_message_write left them",
  async check({ say, stored }) {
    const { asked } = await say('my password is hunter2', done);
    expect(textOf(asked[0]?.messages[0])).toBe('my password is ***');
    expect(await stored()).not.toContain('hunter2');
  },
});
