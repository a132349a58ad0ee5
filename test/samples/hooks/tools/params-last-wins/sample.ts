import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'of two plugins that change one parameter the later counts',
  answer: 'allow-once',
  async check({ say, fileText }) {
    await say('write', writeB, done);
    expect(await fileText('b.md')).toBe('second');
  },
});
