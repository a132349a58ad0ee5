import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that throws does not keep the message from being stored',
  async check({ say, found, transcript }) {
    await say('hi', done);
    expect(transcript()).toEqual(['user: hi', 'assistant: Done.']);
    expect(found('hook_failed', 'bad').length).toBeGreaterThan(0);
  },
});
