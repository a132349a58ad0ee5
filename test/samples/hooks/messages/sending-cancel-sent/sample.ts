import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a cancelled delivery is message_sent without success, with what was shown and not what was withheld',
  async check({ say, marks }) {
    await say('hi', done);
    const shown = 'Plugin censor withheld this answer.';
    expect(marks).toMatchObject([{ content: shown, success: false, error: shown }]);
  },
});
