import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'model_call_started and model_call_ended need no access, and hold nothing of what is said',
  async check({ say, marks }) {
    await say('the question', { text: 'the answer' });
    expect(marks).toHaveLength(2);
    expect(JSON.stringify(marks)).not.toContain('the question');
    expect(JSON.stringify(marks)).not.toContain('the answer');
  },
});
