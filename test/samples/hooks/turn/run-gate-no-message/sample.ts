import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a block without a message says that a plugin stopped it, and never the internal reason',
  mayRead: ['gate'],
  async check({ say, transcript }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toMatchObject({
      status: 'blocked',
      text: expect.stringContaining('(blocked by gate)') as string,
    });
    expect(JSON.stringify([outcome, transcript()])).not.toContain('inner');
  },
});
