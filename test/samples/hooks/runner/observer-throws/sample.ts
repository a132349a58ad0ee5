import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an observer that throws keeps no other from hearing',
  async check({ say, marks, found }) {
    await say('hi', done);
    expect(marks).toEqual(['heard']);
    expect(found('hook_failed')).toMatchObject([
      { pluginId: 'a-bad', message: '[hooks] message_sent handler from a-bad failed: deaf' },
    ]);
  },
});
