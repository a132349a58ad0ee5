import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a trace tells who failed, who ran out of time, and who answered what is no answer',
  async check({ say, traced }) {
    await say('hi', done);
    expect(await traced()).toEqual([
      'bad before_prompt_build failed',
      'slow before_prompt_build timed-out',
      'odd before_prompt_build invalid',
    ]);
  },
});
