import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'large details become a summary with their size and keys',
  async check({ session, say }) {
    await say('read', readA, done);
    expect(session.messages()[2]).toMatchObject({
      details: { persistedDetailsTruncated: true, originalDetailKeys: ['rows'] },
    });
  },
});
