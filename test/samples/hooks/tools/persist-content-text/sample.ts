import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a content that is a text is taken as one text part',
  async check({ session, say }) {
    await say('read', readA, done);
    expect(session.messages()[2]?.content).toEqual([{ type: 'text', text: 'short' }]);
  },
});
