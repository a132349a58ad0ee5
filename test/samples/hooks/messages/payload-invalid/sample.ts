import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a payload whose text is no text is refused; the answer stays as it was',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
    expect(found('hook_invalid_result', 'bad')[0]?.message).toContain('"payload.text" must be a text');
  },
});
