import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a block with fields that nobody reads still blocks',
  mayRead: ['gate'],
  async check({ say, found }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toMatchObject({ status: 'blocked' });
    expect(found('hook_unknown_field', 'gate')).toHaveLength(1);
  },
});
