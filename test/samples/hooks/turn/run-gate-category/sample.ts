import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the category of a block is kept with the replacement, its metadata only told; a category that quotes the words is none',
  mayRead: ['gate'],
  async check({ session, say, stored }) {
    const { outcome } = await say('one', done);
    expect(outcome).toMatchObject({ status: 'blocked', category: 'secrets', metadata: { rule: 7 } });
    expect(session.messages()[0]).toMatchObject({ blocked: { by: 'gate', category: 'secrets' } });
    await say('my secret words', done);
    expect(session.messages()[1]).not.toHaveProperty('blocked');
    expect(await stored()).not.toContain('my secret words');
  },
});
