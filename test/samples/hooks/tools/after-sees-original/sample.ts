import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after_tool_call sees the result as the tool gave it, not as it was stored',
  async check({ say, marks, transcript }) {
    await say('read', readA, done);
    expect(JSON.stringify(marks)).toContain('text of a');
    expect(transcript()[2]).toBe('toolResult: ***');
  },
});
