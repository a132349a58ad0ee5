import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "once a plugin has asked, another one's parameters are ignored, and that is said",
  answer: 'allow-once',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(found('hook_params_frozen', 'b-mover')[0]?.message).toContain('a-asker has already asked');
  },
});
