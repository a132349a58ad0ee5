import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a cancelled answer is neither shown nor stored; who withheld it is shown, and no model reads that as an answer',
  async check({ say, transcript, stored }) {
    const { shown } = await say('hi', { text: 'the plan' });
    expect(shown).toBe('Plugin censor withheld this answer: not today');
    expect(transcript()[1]).toBe('assistant: ');
    expect(await stored()).not.toContain('the plan');
    const { asked } = await say('again', done);
    expect(JSON.stringify(asked[0]?.messages.map(({ content }) => content))).not.toContain('withheld');
  },
});
