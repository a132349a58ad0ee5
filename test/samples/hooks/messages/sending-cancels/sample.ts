import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a cancelled answer is neither shown nor stored; plugin and reason stand in its place',
  async check({ say, transcript, stored }) {
    const { shown } = await say('hi', { text: 'the plan' });
    expect(shown).toBe('Plugin censor withheld this answer: not today');
    expect(transcript()[1]).toBe(`assistant: ${shown}`);
    expect(await stored()).not.toContain('the plan');
  },
});
