import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_sent gets the text as it was delivered',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([
      { to: 'user', content: 'Changed.', success: true, context: { pluginConfig: {} } },
    ]);
  },
});
