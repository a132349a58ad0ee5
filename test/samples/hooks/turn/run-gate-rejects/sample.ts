import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gate whose promise rejects blocks',
  mayRead: ['gate'],
  async check({ say }) {
    const { outcome, asked } = await say('hi', done);
    expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'gate' });
    expect(asked).toEqual([]);
  },
});
