import { expect } from 'vitest';
import { done, readA, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'what before_message_write makes of a tool result is cut like any other before it is stored',
  async check({ say, stored }) {
    const { asked } = await say('read', readA, done);
    expect(textOf(asked[1]?.messages.at(-1)).length).toBeLessThanOrEqual(16_000);
    expect((await stored()).length).toBeLessThan(40_000);
  },
});
