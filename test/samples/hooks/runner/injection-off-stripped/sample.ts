import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'with allowPromptInjection false before_agent_start still fires, without its prompt changes, async ones included',
  config: { plugins: { entries: { writer: { hooks: { allowPromptInjection: false } } } } },
  async check({ say, marks, found }) {
    const { asked } = await say('hi', done);
    expect(marks).toEqual(['sync', 'async']);
    expect(textOf(asked[0]?.messages[0])).toBe('hi');
    expect(asked[0]?.systemPrompt).not.toContain('changed');
    expect(found('plugin_hook_stripped', 'writer').length).toBeGreaterThan(0);
  },
});
