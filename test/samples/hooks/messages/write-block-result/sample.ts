import { expect } from 'vitest';
import { done, readA, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'where a plugin keeps a tool result out of the transcript, the model is told so in its place',
  async check({ say, stored }) {
    const { asked } = await say('read', readA, done);
    expect(textOf(asked[1]?.messages.at(-1))).toBe('Plugin keeper kept this out of the transcript.');
    expect(await stored()).not.toContain('text of a');
  },
});
