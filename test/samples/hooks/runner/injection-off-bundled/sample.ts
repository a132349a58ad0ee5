import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'allowPromptInjection false holds for bundled plugins, too',
  config: { plugins: { entries: { writer: { hooks: { allowPromptInjection: false } } } } },
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('hi');
  },
});
