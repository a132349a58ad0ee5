import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result is copied: what the plugin does to it later changes nothing',
  async check({ say }) {
    const { results } = await say('go', call('greet', { who: { name: 'Ann' } }), done);
    expect(results).toEqual(['hello Bob']);
  },
});
