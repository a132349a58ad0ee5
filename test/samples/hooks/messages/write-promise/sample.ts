import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a promise from before_message_write is ignored, a block in it, too',
  async check({ say, found, transcript }) {
    await say('hi', done);
    expect(transcript()).toEqual(['user: hi', 'assistant: Done.']);
    expect(found('hook_returned_promise', 'late')).toHaveLength(1);
  },
});
