import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'allowPromptInjection false keeps prompt hooks from firing; each is named with its remedy',
  config: { plugins: { entries: { writer: { hooks: { allowPromptInjection: false } } } } },
  async check({ say, found }) {
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('hi');
    expect(found('plugin_hook_blocked', 'writer')).toMatchObject([
      { message: expect.stringContaining('"agent_turn_prepare" blocked by') as string },
      { fixes: [{ kind: 'allow-prompt-injection', pluginId: 'writer' }] },
    ]);
  },
});
