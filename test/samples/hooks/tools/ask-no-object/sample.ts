import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a question that is no object blocks the call',
  answer: 'allow-once',
  async check({ say }) {
    const { results, questions } = await say('read', readA, done);
    expect(questions).toEqual([]);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
  },
});
