import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gate that answers true has not passed the run',
  mayRead: ['gate'],
  async check({ say }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'gate' });
  },
});
