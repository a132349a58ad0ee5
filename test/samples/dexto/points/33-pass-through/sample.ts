import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'each plugin gets what the one before it made, one after the other, and none is asked after a block; what it does to its payload stays with it',
  async check({ say, marks }) {
    const { sent } = await say('Hello');
    expect(sent).toContain('Hello a b');
    expect(marks.splice(0)).toEqual(['a: Hello', 'a is done', 'b: Hello a', 'c: Hello a b']);
    const { outcome } = await say('stop');
    expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'b', text: 'b stops' });
    expect(marks).toEqual(['a: stop', 'a is done', 'b: stop a']);
  },
});
