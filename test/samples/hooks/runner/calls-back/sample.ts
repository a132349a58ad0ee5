import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'a handler may call the api of its plugin while it runs',
  async check({ say }) {
    await say('one', done);
    const { asked } = await say('two', done);
    expect(textOf(asked[0]?.messages.at(-1))).toBe('after one\ntwo');
  },
});
