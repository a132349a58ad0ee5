import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a pass of one gate does not answer for the next',
  mayRead: ['first', 'second'],
  async check({ say }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'second' });
  },
});
