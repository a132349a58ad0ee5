import { expect } from 'vitest';
import { sample, type PointTurn } from '../pointSample.ts';

const script = [{ toolCalls: [{ name: 'ls', arguments: {} }] }, { text: 'Done.' }];

export default sample({
  rule: 'whoever runs code on behalf of a tenant needs to say so once: turns that start in it, at the same time too, have its id and its storage alone',
  isRecorded: false,
  async check({ runtime, say, marks }) {
    const turnOf = (tenantId: string, text: string): Promise<PointTurn> =>
      runtime.conversations.withTenant({ tenantId }, () =>
        say(text, script, { session: runtime.conversations.create() }),
      );
    await Promise.all([turnOf('a', 'one'), turnOf('b', 'two')]);
    await turnOf('a', 'three');
    await say('four', [{ text: 'Done.' }]);
    expect(marks.filter((mark) => mark.startsWith('a'))).toEqual([
      'a: one',
      'a calls',
      'a: one three',
      'a calls',
    ]);
    expect(marks.filter((mark) => mark.startsWith('b'))).toEqual(['b: two', 'b calls']);
    expect(marks.at(-1)).toBe('undefined: four');
  },
});
