import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: "a reply goes through message_sending as the model's answer would",
  mayRead: ['parrot'],
  async check({ say }) {
    const { shown } = await say('hello', done);
    expect(shown).toBe('SQUAWK');
  },
});
