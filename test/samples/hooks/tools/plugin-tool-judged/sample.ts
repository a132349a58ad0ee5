import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'tools of plugins are judged, stored and observed as core tools are',
  async check({ say, marks }) {
    const { results } = await say('go', call('greet', { name: 'Ann' }), done);
    expect(results).toEqual(['HELLO BOB']);
    expect(marks).toEqual(['before Ann', 'after Bob']);
  },
});
