import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a message keeps its role',
  async check({ say, found, transcript }) {
    await say('hi', done);
    expect(transcript()).toEqual(['user: hi', 'assistant: Done.']);
    expect(found('hook_invalid_result', 'forger')[0]?.message).toContain('"message.role" must stay');
  },
});
