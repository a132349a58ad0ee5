import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'every failure is in the log with hook, plugin and reason',
  async check({ log, say }) {
    await say('hi', done);
    expect(log.lines.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        '[hooks] before_message_write handler from a failed: reason a',
        '[hooks] message_sending handler from b failed: reason b',
      ]),
    );
  },
});
