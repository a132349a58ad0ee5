import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what plugins add to a prompt is neither stored nor in the next turn',
  async check({ say, transcript }) {
    await say('one', done);
    const { asked } = await say('two', done);
    expect(JSON.stringify(asked)).not.toContain('raining');
    expect(transcript()[0]).toBe('user: one');
  },
});
