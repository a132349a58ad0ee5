import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the words before a tool call are an answer, too',
  async check({ session, say, marks }) {
    const { shown } = await say(
      'hi',
      { text: 'I look.', toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
      done,
    );
    expect(marks).toEqual(['I look.', 'Done.']);
    expect(shown).toBe('I LOOK.DONE.');
    expect(session.messages()[1]?.content).toMatchObject([{ text: 'I LOOK.' }, { type: 'toolCall' }]);
  },
});
