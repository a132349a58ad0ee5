import { expect } from 'vitest';
import { done, readA, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'the model never reads details',
  async check({ say }) {
    const { asked } = await say('read', readA, done);
    const result = asked[1]?.messages.at(-1);
    expect(result?.role).toBe('toolResult');
    expect(textOf(result)).not.toContain('for people');
  },
});
