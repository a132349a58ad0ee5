import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a content that is no text and no list of parts is refused; the result stays as it was',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(found('hook_invalid_result', 'bad')[0]?.message).toContain('"message.content" must be');
  },
});
