import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_sent fires for each text that is shown, those before calls included, and for no answer without one',
  async check({ session, say, marks }) {
    await say('hi', { text: 'Let me look.', ...readA }, readA, done);
    const answers = session
      .entries()
      .flatMap((entry) => (entry.type === 'message' && entry.message.role === 'assistant' ? [entry.id] : []));
    expect(marks).toEqual([
      ['Let me look.', true, answers[0]],
      ['Done.', true, answers[2]],
    ]);
  },
});
