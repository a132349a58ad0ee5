import { expect } from 'vitest';
import { done, readA, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'each tool_result_persist handler gets what the one before it made of the message',
  async check({ say, marks, transcript }) {
    const { asked } = await say('read', readA, done);
    expect(marks).toEqual(['one']);
    expect(textOf(asked[1]?.messages.at(-1))).toBe('one two');
    expect(transcript()[2]).toBe('toolResult: one two');
  },
});
