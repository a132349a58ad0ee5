import { expect } from 'vitest';
import { done, sample, textOf } from '../../hookSample.ts';

export default sample({
  rule: 'the remedy of the diagnostic gives prompt hooks back',
  config: { plugins: { entries: { writer: { hooks: { allowPromptInjection: false } } } } },
  async check({ runtime, say, found }) {
    const [fix] = found('plugin_hook_blocked', 'writer')[0]?.fixes ?? [];
    await runtime.workspace.applyFix(fix!);
    const { asked } = await say('hi', done);
    expect(textOf(asked[0]?.messages[0])).toBe('build\nhi');
  },
});
