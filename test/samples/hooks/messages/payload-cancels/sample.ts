import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: "after a cancel of reply_payload_sending nobody else is asked; plugin and reason are shown in the answer's place",
  async check({ say, marks, stored }) {
    const { shown } = await say('hi', { text: 'the plan' });
    expect(shown).toBe('Plugin censor withheld this answer: not today');
    expect(marks).toEqual([]);
    expect(await stored()).not.toContain('the plan');
  },
});
