import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'without any setting a handler that decides has 15 s and an observer 30 s',
  speed: 200,
  async check({ say, found }) {
    await say('hi', done);
    const texts = found('hook_timed_out', 'slow').map(({ message }) => message.split(' ').at(-1));
    expect(texts.toSorted()).toEqual(['15000ms', '30000ms']);
  },
});
