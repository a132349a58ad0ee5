import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'handled without a reply is silence: the turn completes, and no model is asked',
  mayRead: ['parrot'],
  async check({ say }) {
    const { outcome, asked } = await say('hello', done);
    expect(outcome).toEqual({ status: 'completed', text: '' });
    expect(asked).toEqual([]);
  },
});
