import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: "parameters that a plugin returns are laid over the model's, field by field",
  answer: 'allow-once',
  async check({ say, fileText }) {
    await say('write', writeB, done);
    expect(await fileText('c.md')).toBe('new');
    expect(await fileText('b.md')).toBeUndefined();
  },
});
