import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a call whose parameters do not fit is refused before any plugin is asked',
  async check({ say, marks }) {
    const { results } = await say('read', call('read', { path: 7 }), done);
    expect(results[0]).toContain('not valid');
    expect(marks).toEqual([]);
  },
});
