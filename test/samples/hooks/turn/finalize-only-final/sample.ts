import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an answer with tool calls is no final one',
  mayRead: ['reader'],
  async check({ say, marks }) {
    await say('read', { text: 'I look.', toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] }, done);
    expect(marks).toEqual(['Done.']);
  },
});
